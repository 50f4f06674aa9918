import { useQuery } from '@tanstack/react-query'
import { Eye, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { mostVersions, type SiteVersion } from '#contract/site-content.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../dialog.tsx'
import { ListStates, Row } from '../list.tsx'
import { useIsOwner } from '../session.ts'
import { useYourSiteTexts } from '../texts.ts'
import { Preview } from './preview.tsx'
import { useWhen } from './save-state.tsx'
import { type ReadDraft, usePublishing, versionsQuery } from './site-calls.ts'

export function VersionsDialog({ site, onClose }: { site: ReadDraft; onClose(): void }) {
  const { versions: t } = useYourSiteTexts()
  const query = useQuery(versionsQuery)
  const nameOf = useVersionName()
  const said = useWhen()
  const isOwner = useIsOwner()
  const { busy, bringBack } = usePublishing(site)
  const [looking, setLooking] = useState<SiteVersion>()
  const current = site.content.published.number
  return (
    <Dialog onClose={onClose} title={t.title} description={(isOwner ? t.text : t.kept)(mostVersions)} width="wide">
      <DialogBody className="pt-2">
        <ListStates query={{ ...query, data: query.data?.versions }} words={t}>
          {(versions) => (
            <ul>
              {versions.map((version) => {
                const { number, publishedAt, changed } = version
                const name = nameOf(version)
                const restore = busy === number ? t.pending : t.restore
                const actions = (
                  <div className="flex flex-wrap justify-end gap-2">
                    <Button icon={Eye} tone="quiet" aria-label={`${t.view}: ${name}`} onClick={() => setLooking(version)}>
                      {t.view}
                    </Button>
                    {number !== current && isOwner && (
                      <Button
                        icon={RotateCcw}
                        aria-label={`${restore}: ${name}`}
                        disabled={busy !== undefined}
                        onClick={() => void bringBack(number)}
                      >
                        {restore}
                      </Button>
                    )}
                  </div>
                )
                return (
                  <Row key={number} name={name} mark={number === current && t.current} actions={actions}>
                    {publishedAt && <p className="text-sm text-(--quiet)">{`${said(version)} · ${t.changed(changed)}`}</p>}
                  </Row>
                )
              })}
            </ul>
          )}
        </ListStates>
      </DialogBody>
      {looking && (
        <LookAt
          version={looking}
          canBringBack={isOwner && looking.number !== current && busy === undefined}
          onBringBack={async () => {
            if (await bringBack(looking.number)) setLooking(undefined)
          }}
          onClose={() => setLooking(undefined)}
        />
      )}
    </Dialog>
  )
}

type LookProps = { version: SiteVersion; canBringBack: boolean; onBringBack(): void; onClose(): void }

function LookAt({ version, canBringBack, onBringBack, onClose }: LookProps) {
  const { versions: t, preview } = useYourSiteTexts()
  const nameOf = useVersionName()
  const said = useWhen()
  const panel = useLanguage()
  const [language, setLanguage] = useState(panel.language)
  return (
    <Dialog onClose={onClose} title={nameOf(version)} description={said(version)} width="screen">
      <section aria-label={preview.title} className="flex min-h-0 flex-[1_999_100dvh]">
        <Preview of={version.number} firstScreen="desktop" language={language} onLanguage={setLanguage} />
      </section>
      {canBringBack && (
        <DialogActions>
          <Button icon={RotateCcw} tone="brass" onClick={onBringBack}>
            {t.restore}
          </Button>
        </DialogActions>
      )}
    </Dialog>
  )
}

function useVersionName() {
  const { version: nameOf, versions: t } = useYourSiteTexts()
  return ({ number }: SiteVersion) => (number === 0 ? t.original : nameOf(number))
}
