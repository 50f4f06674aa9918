import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type FieldErrors, FormProvider, useForm } from 'react-hook-form'
import { type Language, languages } from '#contract/languages.ts'
import type { ProjectInput } from '#contract/project-fields.ts'
import { type ChangedProject, createProject, updateProject } from '#contract/projects.admin.ts'
import type { Project } from '#contract/projects.ts'
import { call } from '../../api/call.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { showFieldFaults, Trouble, withReason } from '../action-error.tsx'
import { ConfirmDialog } from '../dialog.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { type ShownLanguage, useShownLanguage } from '../language-switch.tsx'
import { useNotices } from '../notices.ts'
import { usePhotoUploads } from '../photos/photo-uploads.ts'
import { photoOf, placeOfArrival } from '../photos/photos.rules.ts'
import { useAdminTexts, useUploadTexts } from '../texts.ts'
import { textNames } from './form-fields.ts'
import { concernsFrontPage } from './project.rules.ts'
import {
  isGone,
  isOutdated,
  loadProject,
  useFrontPageNews,
  useProjectChange,
  useRestoreProject,
  withFrontPage,
} from './project-calls.ts'
import { ProjectConflict } from './project-conflict.tsx'
import {
  differencesOf,
  formPathOf,
  isFaultyIn,
  judgeForm,
  type ProjectValues,
  type SavedProject,
  sameValues,
  valuesOf,
} from './project-form.rules.ts'
import { ProjectFormFields } from './project-form-fields.tsx'
import { dropUnsaved, keepUnsaved, readUnsaved } from './unsaved.ts'

/** A project, or the kept form of a deleted one. */
export type EditedProject = SavedProject & Pick<Project, 'id' | 'version' | 'slug'>

/** A new project without `target`. */
type Saving = { target: EditedProject | undefined; body: ProjectInput }

/** Creates a project without `project`, else edits it. Mounted per opening. */
export function ProjectFormDialog({ project: initial, onClose }: { project: EditedProject | undefined; onClose(): void }) {
  const t = useAdminTexts()
  const f = t.projectForm
  const { photos: photoTexts } = useUploadTexts()
  const notices = useNotices()
  const { language } = useLanguage()
  /** The form as it was left behind, until it is saved or discarded. */
  const [unsaved, setUnsaved] = useState(() => readUnsaved(initial?.id))
  /** The version editing began with. A new project exists as soon as it is saved as a draft. */
  const [project, setProject] = useState(initial && { ...initial, version: unsaved?.version ?? initial.version })
  const began = valuesOf(unsaved?.began ?? project)
  /** A key: remounts the fields after their values were replaced. */
  const [round, setRound] = useState(0)
  const languageSwitch = useShownLanguage('(width >= 80rem)')
  const shown = languageSwitch.shown === 'all' ? language : languageSwitch.shown
  const [saved, setSaved] = useState<Project>()
  const [asking, setAsking] = useState(false)
  // Until the next edit.
  const [draftSaved, setDraftSaved] = useState(initial?.draft === true && !unsaved)
  /** Refused when the version is outdated. */
  const save = useProjectChange(({ target, body }: Saving) =>
    target
      ? call(updateProject, {
          params: { id: target.id },
          query: withFrontPage,
          body: { ...body, version: target.version },
        })
      : call(createProject, { query: withFrontPage, body }),
  )
  const load = useMutation({ mutationFn: loadProject })
  const restore = useRestoreProject()
  const newsOf = useFrontPageNews()
  const form = useForm<ProjectValues, Language, ProjectInput>({
    resolver: judgeForm,
    context: shown,
    defaultValues: valuesOf({ ...began, ...unsaved?.values }),
  })
  const numbers = useRef(new Map<string, number>())
  const uploads = usePhotoUploads((address, number) => {
    const { photos } = form.getValues()
    if (photos.some((photo) => photo.imageUrl === address)) return 'alreadyHere'
    const place = placeOfArrival(photos, numbers.current, number)
    numbers.current.set(address, number)
    form.setValue('photos', photos.toSpliced(place, 0, photoOf({ imageUrl: address })))
    form.clearErrors('photos')
    return undefined
  })
  const failed = project ? t.projects.updateFailed : t.projects.createFailed
  const busy = save.isPending || load.isPending || restore.isPending
  useKeepFocus(busy)

  /** `draft` is set by the save button: it is not an edit. */
  const isUntouched = (values: ProjectValues) => sameValues({ ...values, draft: began.draft }, began)
  const unfinished = uploads.uploads.filter(({ state }) => state !== 'refused').map(({ name }) => name)
  const keep = useEffectEvent((values: ProjectValues) => {
    if (isUntouched(values) && unfinished.length === 0) dropUnsaved(project?.id)
    else keepUnsaved({ id: project?.id, version: project?.version ?? 0, values, began, unfinished })
  })
  useEffect(() => {
    const changed = ({ values }: { values: ProjectValues }) => {
      setDraftSaved(false)
      keep(values)
    }
    return form.subscribe({ formState: { values: true }, callback: changed })
  }, [form])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is their number that matters.
  useEffect(() => keep(form.getValues()), [form, unfinished.length])

  const finish = () => {
    dropUnsaved(project?.id)
    onClose()
  }
  /** Continues editing from the server's version, with these values in the fields. */
  const startFrom = (present: EditedProject | undefined, values = valuesOf(present)) => {
    const next = valuesOf(present)
    form.reset(values)
    // After reset(), whose change event stores the form again.
    dropUnsaved(project?.id)
    if (!sameValues(values, next)) keepUnsaved({ id: present?.id, version: present?.version ?? 0, values, began: next })
    setProject(present)
    setUnsaved(undefined)
    setSaved(undefined)
    for (const call of [save, load, restore]) call.reset()
  }

  const afterSave = (result: ChangedProject, target: EditedProject | undefined) => {
    if (result.draft) {
      startFrom(result)
      setDraftSaved(true)
      return notices.done(target && !target.draft ? f.takenOff : f.draftSaved)
    }
    finish()
    const note = concernsFrontPage(target, result) ? newsOf(result) : undefined
    notices.done(!target ? t.projects.created : target.draft ? f.published : t.projects.updated, { note })
  }
  const send = (target: EditedProject | undefined) => (body: ProjectInput) => {
    save.mutate(
      { target, body },
      {
        onSuccess: (result) => afterSave(result, target),
        onError: (error) => {
          notices.failed(error, failed)
          if (target && isOutdated(error)) compare(target.id)
        },
      },
    )
  }
  const faultyIn = (errors: FieldErrors<ProjectValues>) => [shown, ...languages].find((each) => isFaultyIn(each, errors))
  const showFaulty = (faulty: Language) => languageSwitch.shown !== 'all' && languageSwitch.show(faulty)
  const showFaults = useEffectEvent((error: unknown) => {
    showFieldFaults(error, t, form, formPathOf)
    const faulty = faultyIn(form.formState.errors)
    if (faulty) showFaulty(faulty)
  })
  // In an effect: inert fields cannot take the focus.
  useEffect(() => {
    if (save.error) showFaults(save.error)
  }, [save.error])
  /** Before the form focuses the first fault: a hidden field cannot take the focus. */
  const showFirstFault = (errors: FieldErrors<ProjectValues>) => {
    const faulty = faultyIn(errors)
    if (faulty) flushSync(() => showFaulty(faulty))
  }
  /** What is in no language is missing in the one that is shown. */
  const show = (next: ShownLanguage) => {
    form.clearErrors(textNames(shown).filter((name) => form.getFieldState(name).error?.type === 'missing'))
    languageSwitch.show(next)
  }
  const submitTo = (target: EditedProject | undefined) => form.handleSubmit(send(target), showFirstFault)()
  /** On a save button or Enter. */
  const press = (draft: boolean) => {
    form.setValue('draft', draft)
    if (uploads.failed.length > 0) setAsking(true)
    else submitTo(project)
  }

  const compare = (id: string) => {
    load.mutate(id, {
      onSuccess: (present) => present && resolveConflict(present),
      onError: (error) => notices.failed(error, f.conflict.loadFailed),
    })
  }
  /**
   * Saves at once when the server's version is the one editing began with. The save may have succeeded and its answer been
   * lost.
   */
  const resolveConflict = (present: Project) => {
    const typed = form.getValues()
    if (differencesOf(began, typed, valuesOf(present)).length === 0) return afterSave(present, project)
    if (!sameValues(valuesOf(present), began)) return setSaved(present)
    startFrom(present, typed)
    submitTo(present)
  }
  const saveChosen = (values: ProjectValues) => {
    if (!saved) return
    startFrom(saved, values)
    setRound(round + 1)
    submitTo(saved)
  }
  const restoreIt = (id: string) =>
    restore.mutate(id, { onSuccess: resolveConflict, onError: (error) => notices.failed(error, f.conflict.restoreFailed) })
  /** Keeps the key of the old form: another new project may be kept unsaved. */
  const saveAsNew = () => submitTo(undefined)
  const discardRestored = () => {
    startFrom(initial)
    setRound(round + 1)
  }

  const gone = isGone(save.error) || (load.isSuccess && !load.data)
  const isDraft = project?.draft === true

  const trouble =
    project && gone ? (
      <Trouble title={f.conflict.gone} text={restore.error ? f.conflict.goneForGood : f.conflict.goneText}>
        <Button disabled={busy} onClick={() => restoreIt(project.id)}>
          {f.conflict.restore}
        </Button>
        <Button disabled={busy} onClick={saveAsNew}>
          {f.conflict.saveAsNew}
        </Button>
      </Trouble>
    ) : project && isOutdated(save.error) ? (
      <Trouble title={f.outdated} text={load.error ? f.conflict.loadFailed : f.conflict.kept}>
        <Button disabled={busy} onClick={() => compare(project.id)}>
          {load.isPending ? t.common.loading : f.conflict.compare}
        </Button>
      </Trouble>
    ) : (
      draftSaved && !save.error && project && <DraftSaved slug={project.slug} />
    )

  return (
    <FormProvider {...form}>
      <FormDialog
        title={project ? f.editTitle : f.createTitle}
        description={!project ? f.createText : isDraft ? f.draftText : f.editText}
        width="full"
        busy={busy}
        isDirty={() => !isUntouched(form.getValues()) || unfinished.length > 0}
        failure={save.error && withReason(failed, save.error, t)}
        status={trouble || undefined}
        note={
          <p role="status" className="self-center text-sm text-(--quiet) empty:hidden max-sm:basis-full sm:mr-auto">
            {uploads.underWay > 0 && photoTexts.uploading(uploads.underWay)}
          </p>
        }
        buttons={
          <>
            <Button
              // Enter never publishes.
              {...(isDraft ? { type: 'submit' } : { onClick: () => press(true) })}
              disabled={busy || uploads.underWay > 0}
            >
              {project && !isDraft ? f.takeOff : f.saveDraft}
            </Button>
            <Button
              {...(isDraft ? { onClick: () => press(false) } : { type: 'submit' })}
              tone="brass"
              disabled={busy || uploads.underWay > 0}
            >
              {busy ? f.saving : isDraft ? f.publish : f.save}
            </Button>
          </>
        }
        onSubmit={(event) => {
          event.preventDefault()
          press(isDraft)
        }}
        onClose={finish}
      >
        {/* Inert while saving: edits would be lost. */}
        <div inert={busy}>
          {unsaved && (
            <div role="status" className="mb-6">
              <Callout
                actions={
                  <Button tone="quiet" onClick={discardRestored}>
                    {f.discardRestored}
                  </Button>
                }
              >
                <p>{f.restored}</p>
                {initial && initial.version !== unsaved.version && <p className="mt-1">{f.conflict.restoredOlder}</p>}
                {unsaved.unfinished?.length ? <p className="mt-1">{photoTexts.lost(unsaved.unfinished.join(', '))}</p> : null}
              </Callout>
            </div>
          )}
          <ProjectFormFields key={round} uploads={uploads} languageSwitch={{ ...languageSwitch, show }} />
        </div>
        {asking && (
          <ConfirmDialog
            onCancel={() => setAsking(false)}
            onConfirm={() => {
              setAsking(false)
              uploads.remove(uploads.failed.map(({ id }) => id))
              submitTo(project)
            }}
            title={photoTexts.saveTitle(uploads.failed.length)}
            text={photoTexts.saveText(uploads.failed.length)}
            cancelLabel={photoTexts.goBack}
            confirmLabel={photoTexts.saveWithout(uploads.failed.length)}
          />
        )}
        {saved && (
          <ProjectConflict
            key={saved.version}
            began={began}
            yours={form.getValues()}
            saved={valuesOf(saved)}
            onCancel={() => setSaved(undefined)}
            onSave={saveChosen}
          />
        )}
      </FormDialog>
    </FormProvider>
  )
}

/** Restores the focus that inert elements lose. */
function useKeepFocus(busy: boolean) {
  const place = useRef<Element>(null)
  useLayoutEffect(() => {
    if (busy) place.current = document.activeElement
    else if (place.current instanceof HTMLElement && document.activeElement?.matches('body, [data-focus-home]')) {
      place.current.focus({ preventScroll: true })
    }
  }, [busy])
}

function DraftSaved({ slug }: { slug: string }) {
  const f = useAdminTexts().projectForm
  const { link } = useLanguage()
  return (
    <Trouble tone="brass" title={f.draftHere}>
      <a href={link('/', { project: slug })} target="_blank" rel="noreferrer" className={buttonClasses()}>
        <ExternalLink />
        {f.preview}
      </a>
    </Trouble>
  )
}
