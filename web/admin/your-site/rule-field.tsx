import { type Category, categories } from '#contract/gallery.ts'
import { fieldsOf, isWords, type PhotoName, type RuleName } from '#contract/site-fields.ts'
import { AccentField } from './accent-field.tsx'
import { CommissionsField } from './commissions-field.tsx'
import { HiddenField } from './hidden-field.tsx'
import { PhotoPart } from './photo-part.tsx'
import { TextField } from './text-field.tsx'
import { WordsField } from './words-field.tsx'

/** The field of a rule, or one for each language; what is part of another one's is left to that. */
export function RuleField({ name }: { name: RuleName }) {
  const [kind, part = '', last] = name.split('.')
  if (kind === 'photos') return last === 'image' ? <PhotoPart photo={part as PhotoName} /> : null
  if (name === 'maker.accent') return <AccentField />
  if (name === 'maker.commissions.state') return <CommissionsField />
  if (name === 'maker.commissions.from') return null
  if (kind === 'maker' && part === 'hidden') return <HiddenField category={categoryOf(last)} />
  if (isWords(name)) return <WordsField name={name} />
  return fieldsOf(name).map((field) => <TextField key={field} field={field} name={name} />)
}

function categoryOf(name: string | undefined): Category {
  return categories.find((each) => each === name) ?? 'ships'
}
