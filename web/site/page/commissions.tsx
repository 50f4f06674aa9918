import { useLanguage } from '../../language/language.tsx'
import { cn } from '../../ui/cn.ts'

/** When commissions are taken, where there is something to say about it. */
export function Commissions({ className }: { className: string }) {
  const { commissions } = useLanguage().texts.pricing
  return commissions && <p className={cn('border-l-2 border-(--accent) pl-4', className)}>{commissions}</p>
}
