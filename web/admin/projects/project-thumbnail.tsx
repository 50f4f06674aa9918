import { ImageOff } from 'lucide-react'
import type { Project } from '#contract/projects.ts'
import { cn } from '../../ui/cn.ts'
import { Photo, storedPhoto } from '../../ui/photo.tsx'

type Props = { project: Project; sizes?: string; className?: string }

/** The cover; a draft may have none yet. */
export function ProjectThumbnail({ project, sizes = '88px', className }: Props) {
  const imageUrl = project.imageUrl || (project.photos[0]?.imageUrl ?? '')
  return (
    <div className={cn('grid aspect-[4/3] place-items-center overflow-hidden bg-bone-line text-(--quiet)', className)}>
      <Photo
        key={imageUrl}
        source={storedPhoto(imageUrl, project.image)}
        alt=""
        sizes={sizes}
        className="size-full min-h-0 object-cover"
        missing={<ImageOff className="size-5" />}
      />
    </div>
  )
}
