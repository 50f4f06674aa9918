import { useLanguage } from '../../language/language.tsx'

export function Brand() {
  const { maker } = useLanguage()
  return (
    <span className="flex min-w-0 items-center gap-3">
      <svg
        viewBox="0 0 32 32"
        className="size-7 shrink-0 text-(--accent)"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        aria-hidden="true"
      >
        <path d="M5 25V11l11-6 11 6v14M5 11l11 6 11-6M16 17v8" />
        <path d="M2 25h28M4 28.5h24" />
      </svg>
      <span className="min-w-0 font-display text-xl leading-tight tracking-tight">{maker.brand}</span>
    </span>
  )
}
