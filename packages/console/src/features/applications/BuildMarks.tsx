import { nameOf } from '@slipway/kube/object'
import { type BuildLabel, buildLabel } from '@slipway/model/runs/run-status'
import { Link } from 'react-router'
import { type ApplicationParams, paths } from '../../paths'
import type { ListedComponent } from '../../parts/components/use-builds'
import { displayStatus } from '../../parts/status/display-status'
import { StatusIcon, type StatusWord } from '../../parts/status/StatusLabel'
import './application-list.css'

interface Mark {
  component: string
  status: StatusWord
  /** Such as `failed`. */
  text: BuildLabel | 'no recent build'
}

/** What is broken comes first. */
const order: readonly Mark['text'][] = ['failed', 'unknown', 'running', 'not started', 'no recent build', 'completed']

/** As many as fit beside the other columns. */
const mostMarks = 8

interface BuildMarksProps {
  at: ApplicationParams
  components: readonly ListedComponent[]
}

/** The last build of each component: one mark each, the broken ones first. */
export function BuildMarks({ at, components }: BuildMarksProps) {
  if (components.length === 0) return '-'
  const marks = components.map(markOf).sort((a, b) => order.indexOf(a.text) - order.indexOf(b.text))
  const counts = order.flatMap((text) => {
    const count = marks.filter((mark) => mark.text === text).length
    return count > 0 ? `${count} ${text}` : []
  })
  const more = marks.length - mostMarks
  return (
    <Link to={paths.components(at)} aria-label={`Last builds: ${counts.join(', ')}`} className="slipway-build-marks">
      {marks.slice(0, mostMarks).map(({ component, status, text }) => (
        <span key={component} title={`${component}: ${text}`}>
          <StatusIcon status={status} />
        </span>
      ))}
      {more > 0 && <small title={counts.join(', ')}>+{more}</small>}
    </Link>
  )
}

function markOf({ component, builds: [build], isComplete }: ListedComponent): Mark {
  const status = build ? displayStatus(build) : 'Unknown'
  const text = build ? buildLabel(displayStatus(build)) : isComplete ? 'no recent build' : 'unknown'
  return { component: nameOf(component), status, text }
}
