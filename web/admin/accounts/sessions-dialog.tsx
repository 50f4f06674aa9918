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
  const t = useAdminTexts().accounts.sessions
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
              {all.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  ending={isPending && variables === session.id}
                  onEnd={(device, button) => end(session.id, t.ended(device), button)}
                />
              ))}
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

type RowProps = { session: OpenSession; ending: boolean; onEnd(device: string, button: Element): void }

function SessionRow({ session: { browser, system, startedAt, usedAt, current }, ending, onEnd }: RowProps) {
  const t = useAdminTexts()
  const words = t.accounts.sessions
  const device = deviceIn(words, { browser, system }) ?? words.unknown
  const facts = {
    [words.started]: dateIn(t, startedAt, 'minute'),
    ...(!current && { [words.used]: dateIn(t, usedAt, 'minute') }),
  }
  const end = !current && (
    <Button
      className="shrink-0"
      aria-label={words.endOne(device)}
      aria-disabled={ending}
      onClick={({ currentTarget }) => onEnd(device, currentTarget)}
    >
      {words.end}
    </Button>
  )
  return <Row name={device} mark={current && words.current} facts={facts} actions={end} />
}

type Device = Pick<OpenSession, 'browser' | 'system'>

/** "Chrome on Linux"; null where nothing is known of it. */
export function deviceIn(words: AdminTexts['accounts']['sessions'], { browser, system }: Device) {
  return browser && system ? words.device(browser, system) : (browser ?? system)
}
