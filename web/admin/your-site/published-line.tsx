import type { SiteContent } from '#contract/site-content.ts'
import { dateIn, useAdminTexts, useYourSiteTexts } from '../texts.ts'

type Published = Pick<SiteContent['published'], 'number' | 'author' | 'publishedAt'>

/** Which version everybody sees, since when, and by whom. */
export function PublishedLine({ published }: { published: Published }) {
  const t = useYourSiteTexts()
  const said = useWhen()
  if (published.number === 0) return <p>{t.asItCame}</p>
  return (
    <p>
      <span className="font-medium">{t.version(published.number)}</span>
      <span className="text-(--quiet)">{` · ${said(published)}`}</span>
    </p>
  )
}

export function useWhen() {
  const admin = useAdminTexts()
  const t = useYourSiteTexts()
  return ({ author, publishedAt }: Pick<Published, 'author' | 'publishedAt'>) => {
    if (!publishedAt) return t.asItCame
    const when = dateIn(admin, publishedAt, 'minute')
    return author === null ? t.publishedFromBackup(when) : t.publishedBy(when, author)
  }
}
