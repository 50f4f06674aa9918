import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import type { AdminTexts } from '#content/en/admin.ts'
import { endOtherSessions, endSession, listSessions, type OpenSession } from '#contract/accounts.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { focusHome } from '../block.tsx'
import { useChange } from '../changes.ts'
import { Dialog, DialogActions, DialogBody } from '../dialog.tsx'
import { ListStates, Row } from '../list.tsx'
import { useNotices } from '../notices.ts'
import { dateIn, useAdminTexts } from '../texts.ts'
import { sessionsQuery } from './account-calls.ts'

export function SessionsDialog({ onClose }: { onClose(): void }) {
  const admin = useAdminTexts()
  const t = admin.accounts.sessions
  const notices = useNotices()
  const sessions = useQuery(sessionsQuery)
  // Read again also when it failed: it may have ended already.
  const { mutate, isPending, variables } = useChange(
    (id: string) => (id === 'others' ? call(endOtherSessions) : call(endSession, { params: { id } })),
    [listSessions.path],
  )
  const end = (id: string, done: string, button: Element) => {
    if (isPending) return
    focusHome(button)
    mutate(id, { onSuccess: () => notices.done(done), onError: (error) => notices.refused(error, t.endFailed) })
  }
  return (
    <Dialog onClose={onClose} title={t.title} description={t.text}>
      <DialogBody className="pt-0">
        <ListStates query={sessions} words={t}>
          {(all) => (
            <ul>
              {all.map(({ id, startedAt, usedAt, current, ...session }) => {
                const device = deviceIn(t, session) ?? t.unknown
                const facts = {
                  [t.started]: dateIn(admin, startedAt, 'minute'),
                  ...(!current && { [t.used]: dateIn(admin, usedAt, 'minute') }),
                }
                const actions = !current && (
                  <Button
                    className="shrink-0"
                    aria-label={t.endOne(device)}
                    aria-disabled={isPending && variables === id}
                    onClick={({ currentTarget }) => end(id, t.ended(device), currentTarget)}
                  >
                    {t.end}
                  </Button>
                )
                return <Row key={id} name={device} mark={current && t.current} facts={facts} actions={actions} />
              })}
            </ul>
          )}
        </ListStates>
      </DialogBody>
      {sessions.data?.some(({ current }) => !current) && (
        <DialogActions>
          <Button
            icon={LogOut}
            aria-disabled={isPending}
            onClick={({ currentTarget }) => end('others', t.endedOthers, currentTarget)}
          >
            {t.endOthers}
          </Button>
        </DialogActions>
      )}
    </Dialog>
  )
}

type Device = Pick<OpenSession, 'browser' | 'system'>

/** "Chrome on Linux"; null where nothing is known of it. */
export function deviceIn(words: AdminTexts['accounts']['sessions'], { browser, system }: Device) {
  return browser && system ? words.device(browser, system) : (browser ?? system)
}
