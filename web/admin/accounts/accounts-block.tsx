import { useQuery } from '@tanstack/react-query'
import { KeyRound, Mail, MonitorSmartphone, ScrollText, UserPlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type AdminUser, deleteAdmin, listAdmins } from '#contract/accounts.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/icon-button.tsx'
import { Block } from '../block.tsx'
import { useChange } from '../changes.ts'
import { ConfirmCall } from '../confirm-call.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { LazyDialog } from '../lazy.tsx'
import { ListStates, Row } from '../list.tsx'
import { leavePanel, useIsOwner } from '../session.ts'
import { dateIn, useAdminTexts } from '../texts.ts'
import { adminsQuery } from './account-calls.ts'

const dialogs = {
  create: 'CreateAdmin',
  change: 'ChangePassword',
  sessions: 'SessionsDialog',
  passkeys: 'PasskeysDialog',
  address: 'AddressDialog',
  activity: 'ActivityDialog',
} as const

type BlockProps = { ownId: string | undefined; className: string; footer: ReactNode }

export function AdminsBlock({ ownId, className, footer }: BlockProps) {
  const texts = useAdminTexts()
  const t = texts.accounts
  const admins = useQuery(adminsQuery)
  const [dialog, setDialog] = useState<keyof typeof dialogs>()
  const [deleting, setDeleting] = useState<AdminUser>()
  const [changing, setChanging] = useState<AdminUser>()
  const isOwner = useIsOwner()
  return (
    <Block
      number="04"
      title={isOwner ? t.title : t.roles.ownTitle}
      className={className}
      actions={
        <>
          {isOwner && (
            <Button icon={UserPlus} className="max-sm:px-2 max-sm:[&_svg]:hidden" onClick={() => setDialog('create')}>
              {t.create}
            </Button>
          )}
          <Button icon={KeyRound} className="max-sm:px-2 max-sm:[&_svg]:hidden" onClick={() => setDialog('change')}>
            {t.change}
          </Button>
        </>
      }
    >
      <ListStates query={admins} words={t}>
        {(all) => (
          <ul>
            {all.map((admin) => {
              const { id, username, email, unconfirmedEmail, createdAt, lastLogin } = admin
              const isOwn = id === ownId
              const change = t.roles.change[admin.role === 'owner' ? 'helper' : 'owner']
              const facts = {
                [t.created]: dateIn(texts, createdAt),
                [t.lastLogin]: lastLogin ? dateIn(texts, lastLogin, 'minute') : t.never,
                ...(email && { [texts.recovery.own.email]: email }),
                ...(unconfirmedEmail && { [texts.recovery.own.unconfirmed]: unconfirmedEmail }),
              }
              return (
                <Row
                  key={id}
                  name={username}
                  mark={isOwn && t.you}
                  role={(all.length > 1 || !isOwner) && t.roles.names[admin.role]}
                  facts={facts}
                  actions={
                    isOwner && <DeleteButton label={t.delete(username)} tip={t.deleteTip} onClick={() => setDeleting(admin)} />
                  }
                >
                  {isOwn ? (
                    <div className="-ml-3 flex flex-wrap">
                      <Button icon={MonitorSmartphone} tone="quiet" onClick={() => setDialog('sessions')}>
                        {t.sessions.title}
                      </Button>
                      <Button icon={KeyRound} tone="quiet" onClick={() => setDialog('passkeys')}>
                        {t.passkeys.title}
                      </Button>
                      <Button icon={Mail} tone="quiet" onClick={() => setDialog('address')}>
                        {email || unconfirmedEmail ? texts.recovery.own.title : texts.recovery.own.add}
                      </Button>
                    </div>
                  ) : (
                    isOwner && (
                      <Button
                        tone="quiet"
                        className="-ml-3"
                        aria-label={`${change}: ${username}`}
                        onClick={() => setChanging(admin)}
                      >
                        {change}
                      </Button>
                    )
                  )}
                </Row>
              )
            })}
          </ul>
        )}
      </ListStates>
      {isOwner && (
        <Button icon={ScrollText} tone="quiet" className="mt-3 -ml-3" onClick={() => setDialog('activity')}>
          {t.activity}
        </Button>
      )}
      {footer}
      {dialog && <LazyDialog part={dialogs[dialog]} props={{ onClose: () => setDialog(undefined) }} />}
      {changing && <LazyDialog part="ChangeRole" props={{ admin: changing, onClose: () => setChanging(undefined) }} />}
      {deleting && <DeleteAdmin admin={deleting} own={deleting.id === ownId} onClose={() => setDeleting(undefined)} />}
    </Block>
  )
}

function DeleteAdmin({ admin: { id, username }, own, onClose }: { admin: AdminUser; own: boolean; onClose(): void }) {
  const t = useAdminTexts().accounts
  // With the own account the session is gone: reading the list again would be refused.
  const remove = useChange((id: string) => callConfirmed(deleteAdmin, { params: { id } }), own ? [] : [listAdmins.path])
  return (
    <ConfirmCall
      call={remove}
      input={id}
      title={t.deleteTitle}
      text={(own ? t.deleteOwnText : t.deleteText)(username)}
      failed={t.deleteFailed}
      inServersWords
      onDone={() => (own ? leavePanel('accountDeleted') : t.deleteDone)}
      onClose={onClose}
    />
  )
}
