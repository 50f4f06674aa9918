import { ChevronDown } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useId, useState } from 'react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { categories } from '#contract/first-visit.ts'
import type { Language } from '#contract/languages.ts'
import type { ProjectInput } from '#contract/project-fields.ts'
import { cn } from '../../ui/cn.ts'
import { Field, Input, Select, Textarea } from '../../ui/field.tsx'
import { PhotoField } from '../photos/photo-field.tsx'
import type { PhotoUploads } from '../photos/photo-uploads.ts'
import type { Photo } from '../photos/photos.rules.ts'
import { PhotosField } from '../photos/photos-field.tsx'
import { useAdminTexts } from '../texts.ts'
import { fieldsIn, LanguagesPart } from './languages-part.tsx'
import { type FieldName, faultText, type ProjectValues } from './project-form.rules.ts'

const useProjectForm = () => useFormContext<ProjectValues, unknown, ProjectInput>()

type FieldsProps = {
  uploads: PhotoUploads
  /** The language whose texts are shown where there is room for one only. */
  shown: Language
  onShow(next: Language): void
}

export function ProjectFormFields({ uploads, shown, onShow }: FieldsProps) {
  const f = useAdminTexts().projectForm
  // The compiler asks for every field that is entered.
  const controls = {
    title: <Line name="title" label={f.title} lang="en" />,
    description: <Lines name="description" label={f.description} lang="en" rows={5} />,
    materials: <Lines name="materials" label={f.materials} lang="en" rows={2} />,
    techniques: <Lines name="techniques" label={f.techniques} lang="en" rows={2} />,
    titleEs: <Line name="titleEs" label={f.titleEs} lang="es" />,
    descriptionEs: <Lines name="descriptionEs" label={f.descriptionEs} lang="es" rows={5} />,
    materialsEs: <Lines name="materialsEs" label={f.materialsEs} lang="es" rows={2} />,
    techniquesEs: <Lines name="techniquesEs" label={f.techniquesEs} lang="es" rows={2} />,
    category: <CategoryField />,
    scale: <Line name="scale" label={f.scale} placeholder={f.scaleExample} code />,
    timeSpent: <Line name="timeSpent" label={f.timeSpent} hint={f.timeSpentHint} code />,
    imageUrl: <Photograph name="imageUrl" label={f.image} hint={f.imageHint} />,
    photos: <Photos uploads={uploads} />,
    featured: <FeaturedBox />,
    beforeImageUrl: <Photograph name="beforeImageUrl" label={f.before} />,
    afterImageUrl: <Photograph name="afterImageUrl" label={f.after} />,
    // Told by the button that is pressed.
    draft: null,
  } satisfies Record<FieldName, ReactNode>
  const textsIn = (language: Language) => fieldsIn(language).map((name) => <Fragment key={name}>{controls[name]}</Fragment>)
  return (
    <div className="grid gap-8">
      <LanguagesPart shown={shown} onShow={onShow} fields={{ en: textsIn('en'), es: textsIn('es') }} />
      <div className="grid gap-6 border-t border-(--line) pt-6 sm:grid-cols-3">
        {controls.category}
        {controls.scale}
        {controls.timeSpent}
      </div>
      {controls.imageUrl}
      {controls.photos}
      {controls.featured}
      <OptionalPart title={f.compare} hint={f.compareHint} fields={['beforeImageUrl', 'afterImageUrl']}>
        <div className="grid gap-6 sm:grid-cols-2">
          {controls.beforeImageUrl}
          {controls.afterImageUrl}
        </div>
      </OptionalPart>
    </div>
  )
}

/** Whether a field must be filled in, and what is wrong with it, in the language of the moment. */
function useFieldState(name: Exclude<FieldName, 'photos'>) {
  const t = useAdminTexts()
  const error = useProjectForm().formState.errors[name]
  return {
    required: name in t.projectForm.missing ? t.common.required : undefined,
    error: error?.type === 'server' ? error.message : faultText(t, name, error?.type),
  }
}

type TextName = { [Name in FieldName]: ProjectValues[Name] extends string ? Name : never }[FieldName]
type LineProps = {
  name: TextName
  label: string
  hint?: string
  code?: boolean
  placeholder?: string
  lang?: string
}

function Line({ name, label, hint, code = false, ...input }: LineProps) {
  const { register } = useProjectForm()
  return (
    <Field label={label} hint={hint} {...useFieldState(name)}>
      {(slot) => <Input {...slot} {...register(name)} {...input} autoComplete="off" className={cn(code && 'font-mono')} />}
    </Field>
  )
}

type LinesProps = { name: TextName; label: string; rows: number; lang?: string }

function Lines({ name, label, ...textarea }: LinesProps) {
  const { register } = useProjectForm()
  return (
    <Field label={label} {...useFieldState(name)}>
      {(slot) => <Textarea {...slot} {...register(name)} {...textarea} className={cn(textarea.rows < 5 && 'min-h-20!')} />}
    </Field>
  )
}

function CategoryField() {
  const t = useAdminTexts()
  const { register } = useProjectForm()
  return (
    <Field label={t.projectForm.category} {...useFieldState('category')}>
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
  const { featured, featuredHint } = useAdminTexts().projectForm
  const { register } = useProjectForm()
  const id = useId()
  return (
    <div className="flex gap-3">
      <span className="-m-2.5 grid size-11 shrink-0 place-items-center">
        <input
          id={id}
          type="checkbox"
          aria-describedby={`${id}-hint`}
          {...register('featured')}
          className="size-5 accent-(--color-brass-deep)"
        />
      </span>
      <div>
        <label htmlFor={id} className="font-medium">
          {featured}
        </label>
        <p id={`${id}-hint`} className="text-sm text-(--quiet)">
          {featuredHint}
        </p>
      </div>
    </div>
  )
}

type PartProps = { title: string; hint: string; fields: readonly FieldName[]; children: ReactNode }

/** Folded until wanted, and unfolded by itself when something in it is wrong. */
function OptionalPart({ title, hint, fields, children }: PartProps) {
  const t = useAdminTexts()
  const { getValues, formState } = useProjectForm()
  const [open, setOpen] = useState(() => getValues(fields).some(Boolean))
  const faulty = fields.some((field) => formState.errors[field])
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

type PhotographProps = { name: 'imageUrl' | 'beforeImageUrl' | 'afterImageUrl'; label: string; hint?: string }

function Photograph({ name, label, hint }: PhotographProps) {
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
          value={value}
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
  const found = formState.errors.photos
  const faultOf = (name: 'photos' | keyof Photo, error: Fault | undefined) =>
    error?.type === 'server' ? error.message : faultText(t, name, error?.type)
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
            imageUrl: faultOf('imageUrl', found?.[index]?.imageUrl),
            caption: faultOf('caption', found?.[index]?.caption),
            captionEs: faultOf('captionEs', found?.[index]?.captionEs),
          }))}
          error={faultOf('photos', found)}
          ref={ref}
        />
      )}
    />
  )
}
