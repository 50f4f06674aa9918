type Stage = 'research' | 'assembly' | 'painting' | 'finishing'

/** The same small engine at four moments of its making: drawn, built, painted, under glass. */
export function ProcessDrawing({ stage }: { stage: Stage }) {
  return (
    <svg
      viewBox="0 0 240 150"
      className="w-full"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.25"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {stage === 'research' && <Measures />}
      {stage === 'finishing' && <Case />}
      <g strokeDasharray={stage === 'research' ? '3 3' : undefined}>
        <Body lifted={stage === 'assembly'} painted={stage === 'painting' || stage === 'finishing'} />
        <Running painted={stage === 'painting' || stage === 'finishing'} />
      </g>
      {stage === 'assembly' && <Rivets />}
      <path d="M22 124h196" />
    </svg>
  )
}

function Body({ lifted, painted }: { lifted: boolean; painted: boolean }) {
  const colour = painted ? 'fill-brass/30' : 'fill-(--sheet)'
  return (
    <>
      {lifted && <path d="M76 60v22M188 60v22M132 70v14" strokeDasharray="2 3" className="text-(--accent)" />}
      <g transform={lifted ? 'translate(0 -16)' : undefined} className={colour}>
        <path d="M74 50h98v34H74z" />
        <path d="M172 46h22v38h-22z" className={painted ? 'fill-ink/80' : undefined} />
        <path d="M176 46l-3-20h20l-3 20zM171 26h24" className={painted ? 'fill-ink/80' : undefined} />
        <path d="M104 50c0-15 18-15 18 0zM140 50v-9h9v9" className={painted ? 'fill-brass' : undefined} />
        <path d="M98 50v34M128 50v34M156 50v34" className={painted ? 'text-(--accent)' : undefined} />
      </g>
      <g className={colour}>
        <path d="M40 84V36h34v48zM36 36h44" />
        <path d="M47 44h9v14h-9zM61 44h9v14h-9z" className="fill-(--sheet)" />
      </g>
      <path d="M30 84h172v8H30zM202 82v12M202 88h8M210 83v10" className={painted ? 'fill-oxide/50' : 'fill-(--sheet)'} />
    </>
  )
}

function Running({ painted }: { painted: boolean }) {
  const drivers = [78, 114, 150]
  return (
    <g className={painted ? 'fill-oxide/25' : 'fill-(--sheet)'}>
      {drivers.map((x) => (
        <g key={x}>
          <circle cx={x} cy="107" r="17" />
          <circle cx={x} cy="107" r="4" />
          <path d={`M${x - 17} 107h34M${x} 90v34M${x - 12} 95l24 24M${x + 12} 95l-24 24`} strokeWidth="0.6" />
        </g>
      ))}
      <circle cx="186" cy="114" r="10" />
      <circle cx="44" cy="114" r="10" />
      <path d="M78 111h72l34-14M172 92h22v12h-22z" className="fill-none" strokeWidth="2" />
    </g>
  )
}

function Measures() {
  return (
    <g className="text-(--accent)" strokeWidth="0.9">
      <path d="M30 12v20M210 12v64M30 16h180M34 13l-4 3 4 3M206 13l4 3-4 3" />
      <path d="M224 26v98M220 26h10M220 124h10M221 30l3-4 3 4M221 120l3 4 3-4" />
      <path d="M78 107m-26 0a26 26 0 0 1 26-26M114 82v50M78 82v50M150 82v50" strokeDasharray="8 3 2 3" />
    </g>
  )
}

function Rivets() {
  const positions = Array.from({ length: 12 }, (_, index) => 80 + index * 8)
  return (
    <g className="fill-current" stroke="none">
      {positions.map((x) => (
        <circle key={x} cx={x} cy="38" r="1" />
      ))}
      {positions.map((x) => (
        <circle key={x} cx={x} cy="64" r="1" />
      ))}
    </g>
  )
}

function Case() {
  return (
    <g className="text-(--accent)" strokeWidth="0.9">
      <path d="M16 124V10h208v114M16 10l8-6h208v114l-8 6M224 10l8-6" />
      <path d="M10 124h220v10H10zM6 134h228v8H6z" className="fill-(--sheet)" />
      <path d="M98 126.500h44v5H98z" />
      <path d="M150 22l-22 34M162 22l-14 22" strokeWidth="0.6" />
    </g>
  )
}
