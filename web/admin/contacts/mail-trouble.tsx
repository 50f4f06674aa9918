import { useQuery } from '@tanstack/react-query'
import { MailWarning } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { useAdminTexts } from '../texts.ts'
import { mailsQuery } from './mail-calls.ts'
import { goToMail } from './mail-part.tsx'
import { newsQuery } from './news-calls.ts'

/** Among what the owner should see to: mails that did not arrive. Where they are listed is further down. */
export function MailTrouble() {
  const { mail: t } = useAdminTexts().contacts
  const { data: news } = useQuery(newsQuery)
  const { data: mails } = useQuery(mailsQuery)
  // The list is read when one is tried out or tried again, and has an end; the news come once a minute, and count them all.
  const listed = mails?.troubled.length ?? 0
  const count = mails && listed < 100 ? listed : (news?.troubledMails ?? 0)
  return (
    <div role="status">
      {count > 0 && (
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-l-4 border-oxide bg-oxide/5 py-2 pr-2 pl-4">
          <MailWarning className="size-5 shrink-0 text-oxide max-sm:hidden" aria-hidden />
          <p className="min-w-[min(15rem,100%)] flex-1 py-1.5">{t.troubled(count)}</p>
          <Button size="small" onClick={goToMail}>
            {t.look}
          </Button>
        </div>
      )}
    </div>
  )
}
