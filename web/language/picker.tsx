import { languages, languageTitle, ownNameOf } from '#contract/languages.ts'
import { Drawing, firstIcons } from '../ui/drawing.tsx'
import { Menu, MenuChoice } from '../ui/menu.tsx'
import { useLanguage } from './language.tsx'

/** A menu of the languages; without script, links to the others. */
export function LanguagePicker() {
  const { language, texts, link, choose } = useLanguage()
  const { label } = texts.language
  return (
    <>
      {languages
        .filter((each) => each !== language)
        .map((each) => (
          <a key={each} lang={each} href={link('/', { lang: each })} className="hidden h-11 items-center px-3 unscripted:flex">
            {ownNameOf(each)}
          </a>
        ))}
      <Menu
        label={label}
        className="on-ink"
        button={(state) => (
          <button
            type="button"
            {...state}
            className="group flex h-11 items-center gap-2 rounded-[2px] px-3 hover:bg-current/10 unscripted:hidden"
          >
            <Drawing d={firstIcons.globe} className="size-4" />
            <span className="lettering">{language}</span>
            <span className="sr-only">{`${label}: ${ownNameOf(language)}`}</span>
            <Drawing d={firstIcons.chevronDown} className="size-3.5 transition-transform group-aria-expanded:rotate-180" />
          </button>
        )}
      >
        <MenuChoice
          value={language}
          choices={languages.map((each) => [each, languageTitle(each, language)])}
          onChoose={choose}
        />
      </Menu>
    </>
  )
}
