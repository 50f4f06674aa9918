import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, useController, useFormContext, useWatch } from 'react-hook-form'
import { defaultLanguage, type Language, languageName, languages, languageTitle } from '#contract/languages.ts'
import { isTranslated, type ProjectInput, type photoLimits, translatedFields } from '#contract/project-fields.ts'
import { useLanguage } from '../../language/language.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cn } from '../../ui/cn.ts'
import { Field, Input, Select, Textarea } from '../../ui/field.tsx'
import { LanguageSwitch, type useShownLanguage } from '../language-switch.tsx'
import { PhotoField } from '../photos/photo-field.tsx'
import type { PhotoUploads } from '../photos/photo-uploads.ts'
import { PhotosField } from '../photos/photos-field.tsx'
import { useAdminTexts } from '../texts.ts'
import { type Description, type FieldName, fieldsOfPart, partsOf, projectFields, textName, textNames } from './form-fields.ts'
import { faultText, isFaultyIn, isWrittenIn, type ProjectValues, untranslatedIn } from './project-form.rules.ts'

const useProjectForm = () => useFormContext<ProjectValues, Language, ProjectInput>()

type FieldsProps = { uploads: PhotoUploads; languageSwitch: ReturnType<typeof useShownLanguage> }

/** One language at a time, or all of them beside each other where there is room. */
export function ProjectFormFields({ uploads, languageSwitch }: FieldsProps) {
  const f = useAdminTexts().projectForm
  const { errors } = useProjectForm().formState
  const { shown } = languageSwitch
  const shownIn = shown === 'all' ? languages : [shown]
  const faulty = languages.filter((language) => isFaultyIn(language, errors))
  const marks = Object.fromEntries(faulty.map((language) => [language, f.languages.faulty]))
  const fieldOf = (name: FieldName) => <ProjectField key={name} name={name} />
  return (
    <>
      <LanguageSwitch {...languageSwitch} marks={marks} className="max-sm:w-full" />
      <div className="mt-5 grid gap-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:gap-10">
        <div className="grid content-start gap-6">
          <Photos uploads={uploads} shownIn={shownIn} />
          <Folded title={f.compare} hint={f.compareHint} fields={fieldsOfPart('comparison')}>
            <div className="grid gap-6 sm:grid-cols-2 lg:grid-cols-1">{fieldsOfPart('comparison').map(fieldOf)}</div>
          </Folded>
        </div>
        <div className="grid content-start gap-6 max-lg:border-t max-lg:border-(--line) max-lg:pt-6">
          <TextColumns shownIn={shownIn} />
          <div className="grid gap-6 border-t border-(--line) pt-6 sm:grid-cols-3">{fieldsOfPart('facts').map(fieldOf)}</div>
        </div>
      </div>
    </>
  )
}

/** A line about the readers above the texts. */
const rows = translatedFields.length + 1

function TextColumns({ shownIn }: { shownIn: readonly Language[] }) {
  const { language: panelLanguage } = useLanguage()
  return (
    <div
      className="grid gap-x-6 gap-y-5"
      style={{
        gridTemplateRows: `repeat(${rows}, auto)`,
        gridTemplateColumns: `repeat(${shownIn.length}, minmax(0, 1fr))`,
      }}
    >
      {shownIn.map((language) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset takes no part in a subgrid.
        <div
          key={language}
          role="group"
          aria-label={languageTitle(language, panelLanguage)}
          style={{ gridRow: `span ${rows}` }}
          className="grid grid-rows-subgrid gap-y-5"
        >
          <div>
            {shownIn.length > 1 && <h3 className="font-display text-xl">{languageTitle(language, panelLanguage)}</h3>}
            <Readers language={language} alone={shownIn.length === 1} />
          </div>
          {textNames(language).map((name) => (
            <ProjectField key={name} name={name} />
          ))}
        </div>
      ))}
    </div>
  )
}

/** Who reads these texts, and the gaps; when `alone`, also the gaps of the hidden languages. */
function Readers({ language, alone }: { language: Language; alone: boolean }) {
  const { projectForm } = useAdminTexts()
  const { language: panelLanguage } = useLanguage()
  const t = projectForm.languages
  const values = useWatch<ProjectValues>() as ProjectValues
  const gapsIn = (each: Language) => {
    const missing = untranslatedIn(each, values)
    const other = languages.find((one) => one !== each && missing.some((field) => isWrittenIn(one, field, values)))
    if (!other) return undefined
    const names = missing.map((field) => projectForm.labels[field]).join(', ')
    const isEmpty = !translatedFields.some((field) => isWrittenIn(each, field, values))
    const [called, instead] = [languageName(each, panelLanguage), languageName(other, panelLanguage)]
    return isEmpty ? t.nothing(called, instead) : t.missing(called, instead, names)
  }
  const others = alone ? languages.filter((each) => each !== language).map(gapsIn) : []
  const sentences = [gapsIn(language) ?? t.readers(languageName(language, panelLanguage)), ...others]
  return (
    <p className="text-sm text-(--quiet)" role="status">
      {sentences.filter(Boolean).join(' ')}
    </p>
  )
}

function ProjectField({ name }: { name: FieldName }) {
  const t = useAdminTexts()
  const f = t.projectForm
  const { register } = useProjectForm()
  const { field, language } = partsOf(name)
  const { control, rows, code }: Description = projectFields[field]
  const state = useFieldState(name)
  if (control === 'photo') return <Photograph name={name} label={f.labels[field]} error={state.error} />
  if (control === 'box') {
    return (
      <div className="sm:col-span-3">
        <Checkbox label={f.labels[field]} hint={f.featuredHint} {...register(name)} />
      </div>
    )
  }
  return (
    <Field label={f.labels[field]} hint={field === 'timeSpent' && f.timeSpentHint} {...state}>
      {(slot) => {
        const shared = { ...slot, ...register(name), lang: language }
        if (control === 'lines') return <Textarea {...shared} rows={rows} className={cn(rows === 2 && 'min-h-20!')} />
        if (control === 'line') {
          return (
            <Input
              {...shared}
              placeholder={field === 'scale' ? f.scaleExample : undefined}
              autoComplete="off"
              className={cn(code && 'font-mono')}
            />
          )
        }
        return <Select {...shared} options={[['', f.chooseCategory], ...Object.entries(t.categories)]} />
      }}
    </Field>
  )
}

type Fault = { type?: string | undefined; message?: string | undefined }

function useFault() {
  const t = useAdminTexts()
  const { errors } = useProjectForm().formState
  return (path: string, name: FieldName | keyof typeof photoLimits) => {
    const error = get(errors, path) as Fault | undefined
    return error?.type === 'server' ? error.message : faultText(t, name, error?.type)
  }
}

/** Whether a field is required before the project is published, and its fault. A text is needed in one language. */
function useFieldState(name: FieldName) {
  const t = useAdminTexts()
  const { control } = useProjectForm()
  const { field } = partsOf(name)
  const others = isTranslated(field) ? languages.map((each) => textName(each, field)).filter((each) => each !== name) : []
  const isElsewhere = useWatch({ control, name: others }).some((text) => String(text ?? '').trim() !== '')
  return {
    required: field in t.projectForm.missing && !isElsewhere ? t.common.required : undefined,
    error: useFault()(name, name),
  }
}

type FoldedProps = { title: string; hint: string; fields: readonly FieldName[]; children: ReactNode }

/** Collapsed while it is empty, unless there is a fault in it. */
function Folded({ title, hint, fields, children }: FoldedProps) {
  const t = useAdminTexts()
  const { getValues, formState } = useProjectForm()
  const [open, setOpen] = useState(() => getValues(fields).some(Boolean))
  const faulty = fields.some((field) => get(formState.errors, field))
  return (
    <details
      open={open || faulty}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group border-t border-(--line) pt-2"
    >
      <summary className="flex min-h-11 list-none items-center gap-3 [&::-webkit-details-marker]:hidden">
        <span className="font-display text-xl">{title}</span>
        <span className="text-sm text-(--quiet)">{`(${t.common.optional})`}</span>
        <ChevronDown className="ml-auto size-5 text-(--quiet) transition-transform group-open:rotate-180" />
      </summary>
      <p className="pb-4 text-sm text-(--quiet)">{hint}</p>
      {children}
    </details>
  )
}

type PhotographProps = { name: FieldName; label: string; error: string | undefined }

function Photograph({ name, ...field }: PhotographProps) {
  const { value, onChange, ref } = useController({ control: useProjectForm().control, name }).field
  return <PhotoField {...field} value={String(value)} onChange={onChange} ref={ref} />
}

function Photos({ uploads, shownIn }: { uploads: PhotoUploads; shownIn: readonly Language[] }) {
  const { value: photos, onChange, ref } = useController({ control: useProjectForm().control, name: 'photos' }).field
  const faultAt = useFault()
  const captionFault = (photo: string, language: Language) =>
    faultAt(language === defaultLanguage ? `${photo}.caption` : `${photo}.translations.${language}.caption`, 'caption')
  return (
    <PhotosField
      photos={photos}
      onChange={onChange}
      uploads={uploads}
      shownIn={shownIn}
      captionFaults={photos.map((_, index) =>
        Object.fromEntries(languages.map((each) => [each, captionFault(`photos.${index}`, each)])),
      )}
      error={
        faultAt('photos', 'photos') ?? photos.map((_, index) => faultAt(`photos.${index}.imageUrl`, 'imageUrl')).find(Boolean)
      }
      ref={ref}
    />
  )
}
