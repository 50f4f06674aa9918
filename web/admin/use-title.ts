import { useEffect } from 'react'
import { maker } from '#content/maker.ts'

export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · ${maker.brand}`
  }, [title])
}
