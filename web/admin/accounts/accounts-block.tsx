import { useQuery } from '@tanstack/react-query'
import { KeyRound, Mail, MonitorSmartphone, ScrollText, Trash2, UserPlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { AdminUser } from '#contract/accounts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Block } from '../block.tsx'
import { ConfirmCall } from '../confirm-call.tsx'
import { LazyDialog, lazyPart } from '../lazy.tsx'
import { ListStates } from '../list.tsx'
import { useNotices } from '../notices.ts'
import { leavePanel, useIsOwner } from '../session.ts'
import { dateIn, useAdminTexts } from '../texts.ts'
import { adminsQuery, useDeleteAdmin } from './account-calls.ts'

const createAdmin = lazyPart(async () => (await import('./account-dialogs.tsx')).CreateAdmin)
const changeRole = lazyPart(async () => (await import('./account-dialogs.tsx')).ChangeRole)
const passkeysDialog = lazyPart(async () => (await import('./passkeys.tsx')).PasskeysDialog)
const sessionsDialog = lazyPart(async () => (await import('./sessions-dialog.tsx')).SessionsDialog)
const activityDialog = lazyPart(async () => (await import('./activity-dialog.tsx')).loadActivityDialog())
export const changePassword = lazyPart(async () => (await import('./account-dialogs.tsx')).ChangePassword)

const addressDialog = lazyPart(async () => (await import('./address-dialog.tsx')).AddressDialog)

const dialogs = {
  create: createAdmin,
  change: changePassword,
  sessions: sessionsDialog,
  passkeys: passkeysDialog,
  address: addressDialog,
  activity: activityDialog,
}

type BlockProps = { ownId: string | undefined; className: string; footer: ReactNode }

export function AdminsBlock({ ownId, className, footer }: BlockProps) {
  const t = useAdminTexts()
  const admins = useQuery(adminsQuery)
  const [dialog, setDialog] = useState<keyof typeof dialogs>()
  const [deleting, setDeleting] = useState<AdminUser>()
  const [changing, setChanging] = useState<AdminUser>()
  const isOwner = useIsOwner()
  const close = () => setDialog(undefined)
  return (
    <Block
      number="04"
      title={isOwner ? t.accounts.title : t.accounts.roles.ownTitle}
      className={className}
      actions={
        <>
          {isOwner && (
            <Button
              icon={UserPlus}
              size="small"
              className="max-sm:px-2 max-sm:[&_svg]:hidden"
              onClick={() => setDialog('create')}
            >
              {t.accounts.create}
            </Button>
          )}
          <Button
            icon={KeyRound}
            size="small"
            className="max-sm:px-2 max-sm:[&_svg]:hidden"
            onClick={() => setDialog('change')}
          >
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
                    <Button icon={MonitorSmartphone} tone="quiet" size="small" onClick={() => setDialog('sessions')}>
                      {t.accounts.sessions.title}
                    </Button>
                    <Button icon={KeyRound} tone="quiet" size="small" onClick={() => setDialog('passkeys')}>
                      {t.accounts.passkeys.title}
                    </Button>
                    <Button icon={Mail} tone="quiet" size="small" onClick={() => setDialog('address')}>
                      {admin.email || admin.unconfirmedEmail ? t.recovery.own.title : t.recovery.own.add}
                    </Button>
                  </div>
                ) : (
                  isOwner && <RoleButton admin={admin} onClick={() => setChanging(admin)} />
                )}
              </AdminRow>
            ))}
          </ul>
        )}
      </ListStates>
      {isOwner && (
        <Button icon={ScrollText} tone="quiet" size="small" className="mt-3 -ml-3" onClick={() => setDialog('activity')}>
          {t.accounts.activity}
        </Button>
      )}
      {footer}
      {dialog && <LazyDialog part={dialogs[dialog]} props={{ onClose: close }} />}
      {changing && <LazyDialog part={changeRole} props={{ admin: changing, onClose: () => setChanging(undefined) }} />}
      {deleting && <DeleteAdmin admin={deleting} own={deleting.id === ownId} onClose={() => setDeleting(undefined)} />}
    </Block>
  )
}

function RoleButton({ admin: { username, role }, onClick }: { admin: AdminUser; onClick(): void }) {
  const { change } = useAdminTexts().accounts.roles
  const label = change[role === 'owner' ? 'helper' : 'owner']
  return (
    <Button tone="quiet" size="small" className="-ml-3" aria-label={`${label}: ${username}`} onClick={onClick}>
      {label}
    </Button>
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
  const remove = onDelete && (
    <IconButton
      icon={Trash2}
      label={t.accounts.delete(admin.username)}
      tip={t.accounts.deleteTip}
      onClick={() => onDelete(admin)}
      className="hover:text-oxide"
    />
  )
  const facts = {
    [created]: dateIn(t, admin.createdAt),
    [lastLogin]: admin.lastLogin ? dateIn(t, admin.lastLogin, 'minute') : never,
    ...(admin.email && { [t.recovery.own.email]: admin.email }),
    ...(admin.unconfirmedEmail && { [t.recovery.own.unconfirmed]: admin.unconfirmedEmail }),
  }
  return (
    <Row name={admin.username} mark={own && you} role={role} facts={facts} action={remove}>
      {children}
    </Row>
  )
}

type RowProps = {
  name: string
  mark: string | false
  role?: string | false
  facts: Record<string, string>
  action: ReactNode
  children?: ReactNode
}

/** A name with facts in small type, and what can be done with it. */
export function Row({ name, mark, role, facts, action, children }: RowProps) {
  return (
    <li className="flex items-center gap-3 border-b border-(--line) py-3">
      <div className="mr-auto min-w-0">
        <h3 className="flex flex-wrap items-center gap-x-2 font-text text-base font-medium tracking-normal">
          <span className="wrap-anywhere">{name}</span>
          {mark && <Badge tone="accent">{mark}</Badge>}
          {role && <Badge>{role}</Badge>}
        </h3>
        <dl className="mt-1 flex flex-wrap gap-x-5 text-[0.8125rem] text-(--quiet)">
          {Object.entries(facts).map(([fact, value]) => (
            <div key={fact} className="flex gap-1.5">
              <dt className="shrink-0">{`${fact}:`}</dt>
              <dd className="font-mono wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
        {children}
      </div>
      {action}
    </li>
  )
}

function DeleteAdmin({ admin, own, onClose }: { admin: AdminUser; own: boolean; onClose(): void }) {
  const t = useAdminTexts()
  const notices = useNotices()
  const text = own ? t.accounts.deleteOwnText : t.accounts.deleteText
  return (
    <ConfirmCall
      call={useDeleteAdmin()}
      input={{ id: admin.id, own }}
      title={t.accounts.deleteTitle}
      text={text(admin.username)}
      failed={t.accounts.deleteFailed}
      inServersWords
      onDone={() => (own ? leavePanel('accountDeleted') : notices.done(t.accounts.deleteDone))}
      onClose={onClose}
    />
  )
}
