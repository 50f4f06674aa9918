import { useQuery } from '@tanstack/react-query'
import { KeyRound, Trash2, UserPlus } from 'lucide-react'
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
import { leavePanel } from '../session.ts'
import { dateIn, useAdminTexts } from '../texts.ts'
import { adminsQuery, useDeleteAdmin } from './account-calls.ts'

const createAdmin = lazyPart(async () => (await import('./account-dialogs.tsx')).CreateAdmin)
export const changePassword = lazyPart(async () => (await import('./account-dialogs.tsx')).ChangePassword)

type BlockProps = { ownId: string | undefined; className: string; footer: ReactNode }

export function AdminsBlock({ ownId, className, footer }: BlockProps) {
  const t = useAdminTexts()
  const admins = useQuery(adminsQuery)
  const [dialog, setDialog] = useState<'create' | 'change'>()
  const [deleting, setDeleting] = useState<AdminUser>()
  const close = () => setDialog(undefined)
  return (
    <Block
      number="04"
      title={t.accounts.title}
      className={className}
      actions={
        <>
          <Button
            icon={UserPlus}
            size="small"
            className="max-sm:px-2 max-sm:[&_svg]:hidden"
            onClick={() => setDialog('create')}
          >
            {t.accounts.create}
          </Button>
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
              <AdminRow key={admin.id} admin={admin} own={admin.id === ownId} onDelete={setDeleting} />
            ))}
          </ul>
        )}
      </ListStates>
      {footer}
      {dialog && <LazyDialog part={dialog === 'create' ? createAdmin : changePassword} props={{ onClose: close }} />}
      {deleting && <DeleteAdmin admin={deleting} own={deleting.id === ownId} onClose={() => setDeleting(undefined)} />}
    </Block>
  )
}

type RowProps = { admin: AdminUser; own: boolean; onDelete(admin: AdminUser): void }

function AdminRow({ admin, own, onDelete }: RowProps) {
  const t = useAdminTexts()
  return (
    <li className="flex items-center gap-3 border-b border-(--line) py-3">
      <div className="mr-auto min-w-0">
        <h3 className="flex items-center gap-2 font-text text-base font-medium tracking-normal">
          <span className="wrap-anywhere">{admin.username}</span>
          {own && <Badge tone="accent">{t.accounts.you}</Badge>}
        </h3>
        <dl className="mt-1 flex flex-wrap gap-x-5 text-[0.8125rem] text-(--quiet)">
          <Fact name={t.accounts.created}>
            <time dateTime={admin.createdAt}>{dateIn(t, admin.createdAt)}</time>
          </Fact>
          <Fact name={t.accounts.lastLogin}>
            {admin.lastLogin ? (
              <time dateTime={admin.lastLogin}>{dateIn(t, admin.lastLogin, 'minute')}</time>
            ) : (
              t.accounts.never
            )}
          </Fact>
        </dl>
      </div>
      <IconButton
        icon={Trash2}
        label={t.accounts.delete(admin.username)}
        tip={t.accounts.deleteTip}
        onClick={() => onDelete(admin)}
        className="hover:text-oxide"
      />
    </li>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt>{`${name}:`}</dt>
      <dd className="font-mono">{children}</dd>
    </div>
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
