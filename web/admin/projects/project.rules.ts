import type { Project } from '#contract/projects.ts'

/** Something has a text in the site's own language and none in Spanish. */
export function spanishIncomplete(project: Project) {
  const pairs = [
    [project.title, project.titleEs],
    [project.description, project.descriptionEs],
    [project.materials, project.materialsEs],
    [project.techniques, project.techniquesEs],
  ]
  return pairs.some(([text, spanish]) => text && !spanish)
}
