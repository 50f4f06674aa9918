import { useInfiniteQuery } from '@tanstack/react-query'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type DeletedProject, daysInTrash, emptyTrash, placeInTrashOf, removeDeleted } from '#contract/projects.admin.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { DeleteButton } from '../../ui/icon-button.tsx'
import { Asked, ConfirmCall } from '../confirm-call.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { Dialog, DialogActions, DialogBody } from '../dialog.tsx'
import { ListStates, ShowMore } from '../list.tsx'
import { useIsOwner } from '../session.ts'
import { dateIn, useAdminTexts } from '../texts.ts'
import { daysLeft, titleOf } from './project.rules.ts'
import { isGone, trashPagesQuery, useProjectChange, useRestore } from './project-calls.ts'
import { ProjectThumbnail } from './project-thumbnail.tsx'

export function TrashDialog({ onClose }: { onClose(): void }) {
  const t = useAdminTexts()
  const { language } = useLanguage()
  const list = useInfiniteQuery(trashPagesQuery)
  const projects = list.data?.pages.flatMap((page) => page.projects)
  const count = list.data?.pages.at(-1)?.count ?? 0
  const first = projects?.[0]
  const { restore, restoring } = useRestore()
  const isOwner = useIsOwner()
  const [removing, setRemoving] = useState<DeletedProject>()
  const [emptying, setEmptying] = useState<Emptying>()
  return (
    <Dialog onClose={onClose} title={t.trash.title} description={t.trash.text(daysInTrash)} width="wide">
      <DialogBody className="pt-0">
        <ListStates query={{ ...list, data: projects }} words={t.trash}>
          {(shown) => (
            <>
              <ul>
                {shown.map((project) => {
                  const title = titleOf(project, language, t)
                  const isRestoring = restoring === project.id
                  return (
                    <li
                      key={project.id}
                      className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-center gap-x-4 gap-y-1 border-b border-(--line) py-3 sm:grid-cols-[4.5rem_minmax(0,1fr)_auto]"
                    >
                      <ProjectThumbnail project={project} className="max-sm:self-start" />
                      <div className="min-w-0">
                        <h3 className="text-[1.0625rem] leading-snug wrap-anywhere">{title}</h3>
                        <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-(--quiet)">
                          <span>{t.trash.deleted(dateIn(t, project.deletedAt))}</span>
                          <span className="text-(--accent)">{t.trash.daysLeft(daysLeft(project.deletedAt, Date.now()))}</span>
                        </p>
                      </div>
                      <div className={cn('flex items-center justify-end gap-1 max-sm:col-start-2', isOwner && '-mr-3')}>
                        <Button
                          icon={ArchiveRestore}
                          aria-label={t.trash.restoreOne(title)}
                          aria-disabled={isRestoring}
                          onClick={() => restoring === undefined && void restore(project)}
                        >
                          {isRestoring ? t.trash.restoring : t.trash.restore}
                        </Button>
                        {isOwner && (
                          <DeleteButton
                            label={t.trash.remove(title)}
                            tip={t.trash.removeTip}
                            onClick={() => setRemoving(project)}
                          />
                        )}
                      </div>
                    </li>
                  )
                })}
              </ul>
              <ShowMore list={list} shown={shown.length} label={t.trash.more(count - shown.length)} />
            </>
          )}
        </ListStates>
      </DialogBody>
      {first && isOwner && (
        <DialogActions>
          <Button icon={Trash2} onClick={() => setEmptying({ count, upTo: placeInTrashOf(first) })}>
            {t.trash.emptyIt}
          </Button>
        </DialogActions>
      )}
      {removing && <RemoveDeleted project={removing} onClose={() => setRemoving(undefined)} />}
      {emptying && <EmptyTrash {...emptying} onClose={() => setEmptying(undefined)} />}
    </Dialog>
  )
}

function RemoveDeleted({ project, onClose }: { project: DeletedProject; onClose(): void }) {
  const t = useAdminTexts()
  const title = titleOf(project, useLanguage().language, t)
  return (
    <ConfirmCall
      call={useProjectChange((id: string) => callConfirmed(removeDeleted, { params: { id } }))}
      input={project.id}
      title={t.trash.removeTitle}
      text={t.trash.removeText}
      action={t.trash.removeTip}
      failed={(error) => (isGone(error) ? t.projects.notInTrash : t.trash.removeFailed)}
      // There is nothing left to remove.
      onFailed={(error) => isGone(error) && onClose()}
      onDone={() => t.trash.removed(title)}
      onClose={onClose}
    >
      <Asked>
        <span className="font-display text-lg">{title}</span>
      </Asked>
    </ConfirmCall>
  )
}

/** What is in it when the dialog opens: projects deleted since are not included. */
type Emptying = { count: number; upTo: string }

function EmptyTrash({ count, upTo, onClose }: Emptying & { onClose(): void }) {
  const { trash: t } = useAdminTexts()
  return (
    <ConfirmCall
      call={useProjectChange((upTo: string) => callConfirmed(emptyTrash, { query: { upTo } }))}
      input={upTo}
      title={t.emptyIt}
      text={t.emptyText(count)}
      action={t.emptyIt}
      failed={t.emptyFailed}
      onDone={({ removed }) => (removed > 0 ? t.emptied(removed) : t.empty)}
      onClose={onClose}
    />
  )
}
