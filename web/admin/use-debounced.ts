import { useEffect, useState } from 'react'

/** The value once it has stayed the same for a moment: what is being typed is not asked for letter by letter. */
export function useDebounced<T>(value: T, milliseconds = 250) {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
