import { ChevronDown } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useId, useState } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { categories } from '#contract/gallery.ts'
import type { ProjectInput } from '#contract/project-fields.ts'
import { cn } from '../../ui/cn.ts'
import { Field, Input, Select, Textarea } from '../../ui/field.tsx'
import { PhotoField } from '../photos/photo-field.tsx'
import { useAdminTexts } from '../texts.ts'
import { type FieldName, faultText, type ProjectValues } from './project-form.rules.ts'

const useProjectForm = () => useFormContext<ProjectValues, unknown, ProjectInput>()

export function ProjectFormFields() {
  const f = useAdminTexts().projectForm
  // The compiler asks for every field that is entered. Those that are not taken out below stand in the main part, in this order.
  const controls: Record<FieldName, ReactNode> = {
    title: <Line name="title" label={f.title} className="sm:col-span-4" />,
    category: <CategoryField />,
    imageUrl: <Photograph name="imageUrl" label={f.image} className="sm:col-span-full" />,
    description: <Lines name="description" label={f.description} rows={5} />,
    scale: <Line name="scale" label={f.scale} className="sm:col-span-3" placeholder={f.scaleExample} code />,
    timeSpent: <Line name="timeSpent" label={f.timeSpent} className="sm:col-span-3" hint={f.timeSpentHint} code />,
    materials: <Lines name="materials" label={f.materials} rows={2} />,
    techniques: <Lines name="techniques" label={f.techniques} rows={2} />,
    featured: <FeaturedBox />,
    beforeImageUrl: <Photograph name="beforeImageUrl" label={f.before} />,
    afterImageUrl: <Photograph name="afterImageUrl" label={f.after} />,
    titleEs: <Line name="titleEs" label={f.titleEs} lang="es" />,
    descriptionEs: <Lines name="descriptionEs" label={f.descriptionEs} lang="es" rows={5} />,
    materialsEs: <Lines name="materialsEs" label={f.materialsEs} lang="es" rows={2} />,
    techniquesEs: <Lines name="techniquesEs" label={f.techniquesEs} lang="es" rows={2} />,
    photos: null,
    draft: null,
  }
  const { beforeImageUrl, afterImageUrl, titleEs, descriptionEs, materialsEs, techniquesEs, ...main } = controls
  return (
    <div className="grid gap-6 sm:grid-cols-6">
      {Object.entries(main).map(([name, control]) => (
        <Fragment key={name}>{control}</Fragment>
      ))}
      <OptionalPart title={f.compare} hint={f.compareHint} fields={['beforeImageUrl', 'afterImageUrl']}>
        <div className="grid gap-6 sm:grid-cols-2">
          {beforeImageUrl}
          {afterImageUrl}
        </div>
      </OptionalPart>
      <OptionalPart title={f.spanish} hint={f.spanishHint} fields={['titleEs', 'descriptionEs', 'materialsEs', 'techniquesEs']}>
        <div className="grid gap-6">
          {titleEs}
          {descriptionEs}
          {materialsEs}
          {techniquesEs}
        </div>
      </OptionalPart>
    </div>
  )
}

/** Whether a field must be filled in, and what is wrong with it, in the language of the moment. */
function useFieldState(name: FieldName) {
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
  className?: string
  code?: boolean
  placeholder?: string
  lang?: string
}

function Line({ name, label, hint, className = '', code = false, ...input }: LineProps) {
  const { register } = useProjectForm()
  return (
    <Field label={label} hint={hint} {...useFieldState(name)} className={className}>
      {(slot) => <Input {...slot} {...register(name)} {...input} autoComplete="off" className={cn(code && 'font-mono')} />}
    </Field>
  )
}

type LinesProps = { name: TextName; label: string; rows: number; lang?: string }

function Lines({ name, label, ...textarea }: LinesProps) {
  const { register } = useProjectForm()
  return (
    <Field label={label} {...useFieldState(name)} className="sm:col-span-full">
      {(slot) => <Textarea {...slot} {...register(name)} {...textarea} className={cn(textarea.rows < 5 && 'min-h-20!')} />}
    </Field>
  )
}

function CategoryField() {
  const t = useAdminTexts()
  const { register } = useProjectForm()
  return (
    <Field label={t.projectForm.category} {...useFieldState('category')} className="sm:col-span-2">
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
    <div className="flex gap-3 sm:col-span-6">
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
      className="group border-t border-(--line) pt-2 sm:col-span-6"
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

type PhotographProps = { name: 'imageUrl' | 'beforeImageUrl' | 'afterImageUrl'; label: string; className?: string }

function Photograph({ name, label, className }: PhotographProps) {
  const { control } = useProjectForm()
  const { required, error } = useFieldState(name)
  return (
    <div className={className}>
      <Controller
        name={name}
        control={control}
        render={({ field: { value, onChange, ref } }) => (
          <PhotoField
            label={label}
            required={Boolean(required)}
            optional={!required}
            error={error}
            value={value}
            onChange={onChange}
            ref={ref}
          />
        )}
      />
    </div>
  )
}
