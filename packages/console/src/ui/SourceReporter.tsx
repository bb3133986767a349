import type { Source } from '../api/source'
import { FreshnessReporter } from './freshness-scope'

interface SourceReporterProps {
  /** Name of the data, such as `Releases`. */
  label: string
  source: Pick<Source<object>, 'freshness' | 'missing' | 'retry'>
}

/** Reports the age and the gaps of data that a page shows besides its table, which reports its own. */
export const SourceReporter = ({ label, source: { freshness, missing, retry } }: SourceReporterProps) => (
  <FreshnessReporter label={label} freshness={freshness} missing={missing} onRetry={retry} />
)
