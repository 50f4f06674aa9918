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
import { LazyDialog, lazyPart } from '../lazy.tsx'
import { ListStates, Row } from '../list.tsx'
import { leavePanel, useIsOwner } from '../session.ts'
import { dateIn, useAdminTexts } from '../texts.ts'
import { adminsQuery } from './account-calls.ts'

const changeRole = lazyPart(async () => (await import('./account-dialogs.tsx')).ChangeRole)
export const changePassword = lazyPart(async () => (await import('./account-dialogs.tsx')).ChangePassword)

const dialogs = {
  create: lazyPart(async () => (await import('./account-dialogs.tsx')).CreateAdmin),
  change: changePassword,
  sessions: lazyPart(async () => (await import('./sessions-dialog.tsx')).SessionsDialog),
  passkeys: lazyPart(async () => (await import('./passkeys.tsx')).PasskeysDialog),
  address: lazyPart(async () => (await import('./account-dialogs.tsx')).AddressDialog),
  activity: lazyPart(async () => (await import('./activity-dialog.tsx')).loadActivityDialog()),
}

type BlockProps = { ownId: string | undefined; className: string; footer: ReactNode }

export function AdminsBlock({ ownId, className, footer }: BlockProps) {
  const t = useAdminTexts()
  const admins = useQuery(adminsQuery)
  const [dialog, setDialog] = useState<keyof typeof dialogs>()
  const [deleting, setDeleting] = useState<AdminUser>()
  const [changing, setChanging] = useState<AdminUser>()
  const isOwner = useIsOwner()
  const changeOf = ({ role }: AdminUser) => t.accounts.roles.change[role === 'owner' ? 'helper' : 'owner']
  return (
    <Block
      number="04"
      title={isOwner ? t.accounts.title : t.accounts.roles.ownTitle}
      className={className}
      actions={
        <>
          {isOwner && (
            <Button icon={UserPlus} className="max-sm:px-2 max-sm:[&_svg]:hidden" onClick={() => setDialog('create')}>
              {t.accounts.create}
            </Button>
          )}
          <Button icon={KeyRound} className="max-sm:px-2 max-sm:[&_svg]:hidden" onClick={() => setDialog('change')}>
            {t.accounts.change}
          </Button>
        </>
      }
    >
      <ListStates query={admins} words={t.accounts}>
        {(all) => (
          <ul>
            {all.map((admin) => (
              <AdminRow
                key={admin.id}
                admin={admin}
                own={admin.id === ownId}
                role={(all.length > 1 || !isOwner) && t.accounts.roles.names[admin.role]}
                onDelete={isOwner && setDeleting}
              >
                {admin.id === ownId ? (
                  <div className="-ml-3 flex flex-wrap">
                    <Button icon={MonitorSmartphone} tone="quiet" onClick={() => setDialog('sessions')}>
                      {t.accounts.sessions.title}
                    </Button>
                    <Button icon={KeyRound} tone="quiet" onClick={() => setDialog('passkeys')}>
                      {t.accounts.passkeys.title}
                    </Button>
                    <Button icon={Mail} tone="quiet" onClick={() => setDialog('address')}>
                      {admin.email || admin.unconfirmedEmail ? t.recovery.own.title : t.recovery.own.add}
                    </Button>
                  </div>
                ) : (
                  isOwner && (
                    <Button
                      tone="quiet"
                      className="-ml-3"
                      aria-label={`${changeOf(admin)}: ${admin.username}`}
                      onClick={() => setChanging(admin)}
                    >
                      {changeOf(admin)}
                    </Button>
                  )
                )}
              </AdminRow>
            ))}
          </ul>
        )}
      </ListStates>
      {isOwner && (
        <Button icon={ScrollText} tone="quiet" className="mt-3 -ml-3" onClick={() => setDialog('activity')}>
          {t.accounts.activity}
        </Button>
      )}
      {footer}
      {dialog && <LazyDialog part={dialogs[dialog]} props={{ onClose: () => setDialog(undefined) }} />}
      {changing && <LazyDialog part={changeRole} props={{ admin: changing, onClose: () => setChanging(undefined) }} />}
      {deleting && <DeleteAdmin admin={deleting} own={deleting.id === ownId} onClose={() => setDeleting(undefined)} />}
    </Block>
  )
}

type AdminRowProps = {
  admin: AdminUser
  own: boolean
  role: string | false
  onDelete: ((admin: AdminUser) => void) | false
  children: ReactNode
}

function AdminRow({ admin, own, role, onDelete, children }: AdminRowProps) {
  const t = useAdminTexts()
  const { created, lastLogin, never, you } = t.accounts
  const facts = {
    [created]: dateIn(t, admin.createdAt),
    [lastLogin]: admin.lastLogin ? dateIn(t, admin.lastLogin, 'minute') : never,
    ...(admin.email && { [t.recovery.own.email]: admin.email }),
    ...(admin.unconfirmedEmail && { [t.recovery.own.unconfirmed]: admin.unconfirmedEmail }),
  }
  const remove = onDelete && (
    <DeleteButton label={t.accounts.delete(admin.username)} tip={t.accounts.deleteTip} onClick={() => onDelete(admin)} />
  )
  return (
    <Row name={admin.username} mark={own && you} role={role} facts={facts} actions={remove}>
      {children}
    </Row>
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
