import { useEffect } from 'react'
import { maker } from '#content/maker.ts'

/** `waiting` is how much waits to be seen to: "(2) Admin Dashboard · Vitrina". */
export function useTitle(title: string, waiting = 0) {
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · ${maker.brand}`
  }, [title, waiting])
}
