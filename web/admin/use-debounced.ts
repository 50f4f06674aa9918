import { useEffect, useState } from 'react'

/** The value once it has not changed for so long: typing does not send a request for every letter. */
export function useDebounced<T>(value: T, milliseconds = 250) {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
