import type { Term } from '@slipway/model/builds/artifact-terms'
import { Details } from '../../ui/page/Details'
import { WebText } from './WebText'
import '../../ui/inline-list.css'

/** Facts from data without a known shape. */
export const TermDetails = ({ label, terms }: { label: string; terms: readonly Term[] }) => (
  <Details label={label} items={terms.map(({ term, values }) => [term || 'Value', <Values values={values} />])} />
)

const Values = ({ values }: { values: readonly string[] }) => (
  <ul className="slipway-inline-list">
    {values.map((value, index) => (
      // Values may repeat.
      <li key={index}>{value ? <WebText text={value} /> : '-'}</li>
    ))}
  </ul>
)
