import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  type Modifier,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { ArrowDown, ArrowUp } from 'lucide-react'
import {
  type CSSProperties,
  createContext,
  type PointerEvent,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useState,
} from 'react'
import { IconButton } from './icon-button.tsx'

const alongTheList: Modifier = ({ transform }) => ({ ...transform, x: 0 })

type Sorting = { ids: readonly string[]; last: number; move(id: string, to: number): void }
const SortingContext = createContext<Sorting>({ ids: [], last: -1, move() {} })

/** dnd-kit's announcements are in English, and its instructions are for the keyboard, which has buttons instead. */
const silence = () => undefined
const silent = { onDragStart: silence, onDragOver: silence, onDragEnd: silence, onDragCancel: silence }
const noInstructions = { draggable: '' }

type Props = {
  ids: readonly string[]
  /** More pages follow: the last entry can be moved one further, and the caller loads the next page. */
  more?: boolean
  /** The caller must render the new order next, or the dropped entry jumps back. */
  onMove(id: string, to: number): void
  /** Announced after a move: "Photo 3 of 5". */
  said(id: string, position: number): string
  children: ReactNode
}

/** A list that can be reordered by mouse, touch and keyboard. Each entry uses `useSortableItem`. */
export function Sortable({ ids, more = false, onMove, said, children }: Props) {
  const [moved, setMoved] = useState('')
  const [dragging, setDragging] = useState(false)
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))

  // Escape ends the drag without closing the dialog. Not in an effect that runs later: the key may come before it.
  useLayoutEffect(() => {
    if (!dragging) return
    const claim = (event: KeyboardEvent) => event.key === 'Escape' && event.preventDefault()
    addEventListener('keydown', claim, { capture: true })
    return () => removeEventListener('keydown', claim, { capture: true })
  }, [dragging])

  const last = more ? ids.length : ids.length - 1
  const move = (id: string, to: number) => {
    if (to < 0 || to > last || to === ids.indexOf(id)) return
    onMove(id, to)
    setMoved(said(id, to + 1))
  }
  const drop = ({ active, over }: DragEndEvent) => {
    setDragging(false)
    if (over) move(String(active.id), ids.indexOf(String(over.id)))
  }
  return (
    <SortingContext value={{ ids, last, move }}>
      <p role="status" className="sr-only">
        {moved}
      </p>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        modifiers={[alongTheList]}
        accessibility={{ announcements: silent, screenReaderInstructions: noInstructions, container: document.body }}
        onDragStart={() => setDragging(true)}
        onDragCancel={() => setDragging(false)}
        onDragEnd={drop}
      >
        <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
          {children}
        </SortableContext>
      </DndContext>
    </SortingContext>
  )
}

/** `entry` is for the element, `grip` for its handle; `area` can be dragged by a mouse only, so that touch scrolls. */
export function useSortableItem(id: string) {
  const { setNodeRef, setActivatorNodeRef, transform, transition, isDragging, listeners } = useSortable({ id })
  const place = transform && `translate3d(${Math.round(transform.x)}px, ${Math.round(transform.y)}px, 0)`
  const style: CSSProperties = {
    transform: place ?? undefined,
    transition,
    ...(isDragging && { position: 'relative', zIndex: 1 }),
  }
  const press = (event: PointerEvent) => listeners?.onPointerDown?.(event)
  return {
    dragging: isDragging,
    entry: { ref: setNodeRef, style, 'data-dragging': isDragging || undefined },
    grip: { ref: setActivatorNodeRef, onPointerDown: press, style: { touchAction: 'none', cursor: 'grab' } },
    area: { onPointerDown: (event: PointerEvent) => event.pointerType === 'mouse' && press(event) },
  }
}

type MoveLabels = Record<'earlier' | 'later', { label: string; tip: string }>

/** The alternative to dragging. Not disabled at the ends, so that they keep the focus. */
export function MoveButtons({ id, earlier, later }: MoveLabels & { id: string }) {
  const { ids, last, move } = useContext(SortingContext)
  const index = ids.indexOf(id)
  const looks = 'aria-disabled:opacity-40'
  return (
    <>
      <IconButton
        icon={ArrowUp}
        {...earlier}
        aria-disabled={index === 0}
        className={looks}
        onClick={() => move(id, index - 1)}
      />
      <IconButton
        icon={ArrowDown}
        {...later}
        aria-disabled={index === last}
        className={looks}
        onClick={() => move(id, index + 1)}
      />
    </>
  )
}
