import { ImageOff } from 'lucide-react'
import type { Project } from '#contract/projects.ts'
import { cn } from '../../ui/cn.ts'
import { Photo, storedPhoto } from '../../ui/photo.tsx'

/** The cover, small. */
export function ProjectThumbnail({ project, className }: { project: Project; className: string }) {
  return (
    <div className={cn('aspect-[4/3] overflow-hidden bg-bone-line', className)}>
      <Photo
        key={project.imageUrl}
        source={storedPhoto(project.imageUrl || (project.photos[0]?.imageUrl ?? ''), project.image)}
        alt=""
        sizes="88px"
        className="size-full object-cover"
        missing={<NoPhoto />}
      />
    </div>
  )
}

function NoPhoto() {
  return (
    <div className="grid size-full place-items-center text-(--quiet)">
      <ImageOff className="size-5" aria-hidden />
    </div>
  )
}
