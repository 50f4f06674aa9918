export type Step = 'writing' | 'checking' | 'storing'

/** Hears how far a step has come, in photos. */
export type Progress = (step: Step, done: number, total: number) => void

export const unwatched: Progress = () => {}
