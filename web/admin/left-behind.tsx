import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { useAdminTexts } from './texts.ts'

type Props = { sentence: string; goOn: string; onGoOn(): void; onDiscard(): void }

/** Something that was typed and not saved, which can be taken up again. */
export function LeftBehind({ sentence, goOn, onGoOn, onDiscard }: Props) {
  const { projects } = useAdminTexts()
  return (
    <Callout
      className="mt-4"
      actions={
        <>
          <Button onClick={onGoOn}>{goOn}</Button>
          <Button tone="quiet" onClick={onDiscard}>
            {projects.unsavedDiscard}
          </Button>
        </>
      }
    >
      {sentence}
    </Callout>
  )
}
