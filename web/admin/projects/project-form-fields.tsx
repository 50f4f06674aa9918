import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { categories } from '#contract/gallery.ts'
import type { ProjectDraft } from '#contract/project-fields.ts'
import { Field, Input, Select, Textarea } from '../../ui/field.tsx'
import { PhotoField } from '../photos/photo-field.tsx'
import { useAdminTexts } from '../texts.ts'
import { faultText, type ProjectValues, spanishFields, type TextField } from './project-form.rules.ts'

const useProjectForm = () => useFormContext<ProjectValues, unknown, ProjectDraft>()

/** The fault of a field, in the language of the moment. */
function useFault() {
  const t = useAdminTexts()
  const { errors } = useProjectForm().formState
  return (field: TextField) => {
    const fault = errors[field]
    return fault?.type === 'server' ? fault.message : faultText(t, field, fault?.type)
  }
}

export function ProjectFormFields() {
  const t = useAdminTexts()
  const f = t.projectForm
  const { register } = useProjectForm()
  const fault = useFault()
  const required = t.common.required
  return (
    <div className="grid gap-6 sm:grid-cols-6">
      <Field label={f.title} required={required} error={fault('title')} className="sm:col-span-4">
        {(slot) => <Input {...slot} {...register('title')} autoComplete="off" />}
      </Field>
      <Field label={f.category} required={required} error={fault('category')} className="sm:col-span-2">
        {(slot) => (
          <Select {...slot} {...register('category')}>
            <option value="">{f.chooseCategory}</option>
            {categories.map((category) => (
              <option key={category} value={category}>
                {t.categories[category]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="sm:col-span-6">
        <Photograph name="imageUrl" label={f.image} required />
      </div>
      <Field label={f.description} required={required} error={fault('description')} className="sm:col-span-6">
        {(slot) => <Textarea {...slot} {...register('description')} rows={5} />}
      </Field>
      <Field label={f.scale} required={required} error={fault('scale')} className="sm:col-span-3">
        {(slot) => (
          <Input {...slot} {...register('scale')} placeholder={f.scaleExample} autoComplete="off" className="font-mono" />
        )}
      </Field>
      <Field
        label={f.timeSpent}
        required={required}
        error={fault('timeSpent')}
        hint={f.timeSpentHint}
        className="sm:col-span-3"
      >
        {(slot) => <Input {...slot} {...register('timeSpent')} autoComplete="off" className="font-mono" />}
      </Field>
      <Field label={f.materials} required={required} error={fault('materials')} className="sm:col-span-6">
        {(slot) => <Textarea {...slot} {...register('materials')} rows={2} className="min-h-20!" />}
      </Field>
      <Field label={f.techniques} required={required} error={fault('techniques')} className="sm:col-span-6">
        {(slot) => <Textarea {...slot} {...register('techniques')} rows={2} className="min-h-20!" />}
      </Field>
      <FeaturedBox />
      <Compared />
      <Spanish />
    </div>
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

function Compared() {
  const f = useAdminTexts().projectForm
  const { getValues } = useProjectForm()
  const [filled] = useState(() => getValues(['beforeImageUrl', 'afterImageUrl']).some(Boolean))
  return (
    <OptionalPart title={f.compare} hint={f.compareHint} startOpen={filled} fields={['beforeImageUrl', 'afterImageUrl']}>
      <div className="grid gap-6 sm:grid-cols-2">
        <Photograph name="beforeImageUrl" label={f.before} />
        <Photograph name="afterImageUrl" label={f.after} />
      </div>
    </OptionalPart>
  )
}

function Spanish() {
  const f = useAdminTexts().projectForm
  const { register, getValues } = useProjectForm()
  const fault = useFault()
  const [filled] = useState(() => getValues([...spanishFields]).some(Boolean))
  return (
    <OptionalPart title={f.spanish} hint={f.spanishHint} startOpen={filled} fields={spanishFields}>
      <div className="grid gap-6">
        <Field label={f.titleEs} error={fault('titleEs')}>
          {(slot) => <Input {...slot} {...register('titleEs')} lang="es" autoComplete="off" />}
        </Field>
        <Field label={f.descriptionEs} error={fault('descriptionEs')}>
          {(slot) => <Textarea {...slot} {...register('descriptionEs')} lang="es" rows={5} />}
        </Field>
        <Field label={f.materialsEs} error={fault('materialsEs')}>
          {(slot) => <Textarea {...slot} {...register('materialsEs')} lang="es" rows={2} className="min-h-20!" />}
        </Field>
        <Field label={f.techniquesEs} error={fault('techniquesEs')}>
          {(slot) => <Textarea {...slot} {...register('techniquesEs')} lang="es" rows={2} className="min-h-20!" />}
        </Field>
      </div>
    </OptionalPart>
  )
}

type PartProps = { title: string; hint: string; startOpen: boolean; fields: readonly TextField[]; children: ReactNode }

/** Folded until wanted, and unfolded by itself when something in it is wrong. */
function OptionalPart({ title, hint, startOpen, fields, children }: PartProps) {
  const t = useAdminTexts()
  const [open, setOpen] = useState(startOpen)
  const { errors } = useProjectForm().formState
  const faulty = fields.some((field) => errors[field])
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

type PhotographProps = { name: 'imageUrl' | 'beforeImageUrl' | 'afterImageUrl'; label: string; required?: boolean }

function Photograph({ name, label, required = false }: PhotographProps) {
  const { control } = useProjectForm()
  const fault = useFault()
  return (
    <Controller
      name={name}
      control={control}
      render={({ field }) => (
        <PhotoField
          label={label}
          required={required}
          optional={!required}
          error={fault(name)}
          value={field.value ?? ''}
          onChange={field.onChange}
          ref={field.ref}
        />
      )}
    />
  )
}
