import { UserText } from './UserText'
import './titled-name.css'

interface TitledNameProps {
  /** What people call it, such as the title of its commit; without one, only the name is shown. */
  title: string | undefined
  name: string
}

/** What people call an object, and the name that was generated for it. */
export const TitledName = ({ title, name }: TitledNameProps) =>
  title ? (
    <>
      <span title={title} className="slipway-titled-name__title">
        <UserText text={title} />
      </span>{' '}
      <GeneratedName name={name} />
    </>
  ) : (
    name
  )

/** Generated names differ in how they begin, which is the component or the application, and in how they end. */
const headLength = 4
const tailLength = 6

/** A name, of which the middle is left out if it is long. It is still read aloud, copied, and found in the page. */
function GeneratedName({ name }: { name: string }) {
  const isLong = name.length > headLength + tailLength + 2
  return (
    <code title={name} className="slipway-generated-name">
      {isLong ? (
        <>
          <span className="slipway-generated-name__head">{name.slice(0, headLength)}</span>
          <span className="slipway-generated-name__middle">{name.slice(headLength, -tailLength)}</span>
          {name.slice(-tailLength)}
        </>
      ) : (
        name
      )}
    </code>
  )
}
