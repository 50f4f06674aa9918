import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Controller, get, useFormContext, useWatch } from 'react-hook-form'
import { categories } from '#contract/first-visit.ts'
import { defaultLanguage, type Language, languageName, languages } from '#contract/languages.ts'
import type { ProjectInput } from '#contract/project-fields.ts'
import { useLanguage } from '../../language/language.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cn } from '../../ui/cn.ts'
import { Field, Input, Select, Textarea } from '../../ui/field.tsx'
import { PhotoField } from '../photos/photo-field.tsx'
import type { PhotoUploads } from '../photos/photo-uploads.ts'
import { PhotosField } from '../photos/photos-field.tsx'
import { useAdminTexts } from '../texts.ts'
import {
  type Description,
  type FieldName,
  fieldsOfPart,
  type OwnField,
  partsOf,
  projectFields,
  textNames,
} from './form-fields.ts'
import { LanguagesPart } from './languages-part.tsx'
import { faultText, type ProjectValues } from './project-form.rules.ts'

const useProjectForm = () => useFormContext<ProjectValues, unknown, ProjectInput>()

type FieldsProps = {
  uploads: PhotoUploads
  /** The language shown on narrow screens. */
  shown: Language
  onShow(next: Language): void
}

export function ProjectFormFields({ uploads, shown, onShow }: FieldsProps) {
  const f = useAdminTexts().projectForm
  const fieldOf = (name: FieldName) => <ProjectField key={name} name={name} uploads={uploads} />
  return (
    <div className="grid gap-8">
      <LanguagesPart shown={shown} onShow={onShow} textsIn={(language) => textNames(language).map(fieldOf)} />
      <div className="grid gap-6 border-t border-(--line) pt-6 sm:grid-cols-3">{fieldsOfPart('facts').map(fieldOf)}</div>
      {fieldsOfPart('photos').map(fieldOf)}
      <OptionalPart title={f.compare} hint={f.compareHint} fields={fieldsOfPart('comparison')}>
        <div className="grid gap-6 sm:grid-cols-2">{fieldsOfPart('comparison').map(fieldOf)}</div>
      </OptionalPart>
    </div>
  )
}

function ProjectField({ name, uploads }: { name: FieldName; uploads: PhotoUploads }) {
  const f = useAdminTexts().projectForm
  const labelOf = useFieldLabel()
  const { field, language } = partsOf(name)
  const { control, ...described }: Description = projectFields[field]
  const hints: Partial<Record<OwnField, string>> = { timeSpent: f.timeSpentHint, imageUrl: f.imageHint }
  const examples: Partial<Record<OwnField, string>> = { scale: f.scaleExample }
  const shared = { name, label: labelOf(name), hint: hints[field], lang: language }
  if (control === 'line') return <Line {...shared} placeholder={examples[field]} code={described.code} />
  if (control === 'lines') return <Lines {...shared} rows={described.rows ?? 2} />
  if (control === 'category') return <CategoryField />
  if (control === 'photo') return <Photograph {...shared} />
  if (control === 'photos') return <Photos uploads={uploads} />
  return control === 'box' ? <FeaturedBox /> : null
}

/** The label of a field, in the panel's language. */
export function useFieldLabel() {
  const { projectForm: f } = useAdminTexts()
  const shown = useLanguage()
  return (name: FieldName) => {
    const { field, language } = partsOf(name)
    if (!language || language === defaultLanguage) return f.labels[field]
    return f.translated(f.labels[field], languageName(language, shown.language))
  }
}

/** Whether a field is required, and its fault in the panel's language. */
function useFieldState(name: FieldName) {
  const t = useAdminTexts()
  const error = get(useProjectForm().formState.errors, name) as Fault | undefined
  return {
    required: name in t.projectForm.missing ? t.common.required : undefined,
    error: error?.type === 'server' ? error.message : faultText(t, name, error?.type),
  }
}

type TextProps = { name: FieldName; label: string; hint?: string | undefined; lang?: string | undefined }
type LineProps = TextProps & { code?: boolean | undefined; placeholder?: string | undefined }

function Line({ name, label, hint, code, ...input }: LineProps) {
  const { register } = useProjectForm()
  return (
    <Field label={label} hint={hint} {...useFieldState(name)}>
      {(slot) => <Input {...slot} {...register(name)} {...input} autoComplete="off" className={cn(code && 'font-mono')} />}
    </Field>
  )
}

function Lines({ name, label, hint, ...textarea }: TextProps & { rows: number }) {
  const { register } = useProjectForm()
  return (
    <Field label={label} hint={hint} {...useFieldState(name)}>
      {(slot) => <Textarea {...slot} {...register(name)} {...textarea} className={cn(textarea.rows < 5 && 'min-h-20!')} />}
    </Field>
  )
}

function CategoryField() {
  const t = useAdminTexts()
  const { register } = useProjectForm()
  return (
    <Field label={t.projectForm.labels.category} {...useFieldState('category')}>
      {(slot) => (
        <Select {...slot} {...register('category')}>
          <option value="">{t.projectForm.chooseCategory}</option>
          {categories.map((category) => (
            <option key={category} value={category}>
              {t.categories[category]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function FeaturedBox() {
  const { labels, featuredHint } = useAdminTexts().projectForm
  const { register } = useProjectForm()
  return <Checkbox label={labels.featured} hint={featuredHint} {...register('featured')} />
}

type PartProps = { title: string; hint: string; fields: readonly FieldName[]; children: ReactNode }

/** Starts collapsed when empty; a fault expands it. */
function OptionalPart({ title, hint, fields, children }: PartProps) {
  const t = useAdminTexts()
  const { getValues, formState } = useProjectForm()
  const [open, setOpen] = useState(() => getValues(fields).some(Boolean))
  const faulty = fields.some((field) => get(formState.errors, field))
  useEffect(() => {
    if (faulty) setOpen(true)
  }, [faulty])
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group border-t border-(--line) pt-2"
    >
      <summary className="flex min-h-11 list-none items-center gap-3 [&::-webkit-details-marker]:hidden">
        <span className="font-display text-xl">{title}</span>
        <span className="text-sm text-(--quiet)">{`(${t.common.optional})`}</span>
        <ChevronDown className="ml-auto size-5 text-(--quiet) transition-transform group-open:rotate-180" aria-hidden />
      </summary>
      <p className="pb-4 text-sm text-(--quiet)">{hint}</p>
      {children}
    </details>
  )
}

function Photograph({ name, label, hint }: TextProps) {
  const { control } = useProjectForm()
  const { required, error } = useFieldState(name)
  return (
    <Controller
      name={name}
      control={control}
      render={({ field: { value, onChange, ref } }) => (
        <PhotoField
          label={label}
          required={Boolean(required)}
          optional={!required}
          {...(hint && { hint })}
          error={error}
          value={String(value)}
          onChange={onChange}
          ref={ref}
        />
      )}
    />
  )
}

type Fault = { type?: string | undefined; message?: string | undefined }

function Photos({ uploads }: { uploads: PhotoUploads }) {
  const t = useAdminTexts()
  const { control, setValue, formState } = useProjectForm()
  const cover = useWatch({ control, name: 'imageUrl' })
  const faultAt = (path: string, name: 'photos' | 'imageUrl' | 'caption') => {
    const error = get(formState.errors, path) as Fault | undefined
    return error?.type === 'server' ? error.message : faultText(t, name, error?.type)
  }
  const captionFault = (photo: string, language: Language) =>
    faultAt(language === defaultLanguage ? `${photo}.caption` : `${photo}.translations.${language}.caption`, 'caption')
  return (
    <Controller
      name="photos"
      control={control}
      render={({ field: { value, onChange, ref } }) => (
        <PhotosField
          value={{ cover, photos: value }}
          onChange={(next) => {
            if (next.cover !== cover) setValue('imageUrl', next.cover, { shouldValidate: formState.isSubmitted })
            onChange(next.photos)
          }}
          uploads={uploads}
          faults={value.map((_, index) => ({
            imageUrl: faultAt(`photos.${index}.imageUrl`, 'imageUrl'),
            captions: Object.fromEntries(languages.map((each) => [each, captionFault(`photos.${index}`, each)])),
          }))}
          error={faultAt('photos', 'photos')}
          ref={ref}
        />
      )}
    />
  )
}
