import { useEffect } from 'react'
import { useLanguage } from '../language/language.tsx'

/** `waiting` is how much waits to be seen to: "(2) Admin Dashboard · Vitrina". */
export function useTitle(title: string, waiting = 0) {
  const { brand } = useLanguage().maker
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · ${brand}`
  }, [title, waiting, brand])
}
