import { Link } from 'react-router'
import { paths } from '../../paths'
import '../../ui/inline-list.css'

/** Links to component groups in one line; `-` without any. */
export function GroupLinks({ namespace, names }: { namespace: string; names: readonly string[] }) {
  if (names.length === 0) return '-'
  return (
    <ul className="slipway-inline-list">
      {names.map((name) => (
        <li key={name}>
          <Link to={paths.componentGroup({ namespace, componentGroup: name })}>{name}</Link>
        </li>
      ))}
    </ul>
  )
}
