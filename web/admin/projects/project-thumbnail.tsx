import { ImageOff } from 'lucide-react'
import type { Project } from '#contract/projects.ts'
import { cn } from '../../ui/cn.ts'
import { Photo, storedPhoto } from '../../ui/photo.tsx'

type Props = { project: Project; sizes?: string; className?: string }

/** The cover; a draft may have none yet. */
export function ProjectThumbnail({ project, sizes = '88px', className }: Props) {
  const imageUrl = project.imageUrl || (project.photos[0]?.imageUrl ?? '')
  return (
    <div className={cn('aspect-[4/3] overflow-hidden bg-bone-line', className)}>
      {imageUrl ? (
        <Photo
          key={imageUrl}
          source={storedPhoto(imageUrl, project.image)}
          alt=""
          sizes={sizes}
          className="size-full object-cover"
          missing={<NoPhoto />}
        />
      ) : (
        <NoPhoto />
      )}
    </div>
  )
}

function NoPhoto() {
  return (
    <div className="grid size-full place-items-center text-(--quiet)">
      <ImageOff className="size-5" />
    </div>
  )
}
