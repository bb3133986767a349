import { Alert, AlertActionLink } from '@patternfly/react-core'
import { addMissing, bugKey, cveKey, type NamedFixes } from '@slipway/model/releases/named-fixes'
import { useFormContext, useWatch } from 'react-hook-form'
import type { TriggerInput } from './trigger-release-form'

interface NamedFixesNoteProps {
  fixes: NamedFixes
  error: Error | null
}

/** Offers the bugs and CVEs that the commits of the snapshot name, as long as the form does not have them all. */
export function NamedFixesNote({ fixes, error }: NamedFixesNoteProps) {
  const { setValue } = useFormContext<TriggerInput>()
  const [bugs, cves] = useWatch<TriggerInput, ['bugs', 'cves']>({ name: ['bugs', 'cves'] })
  const allBugs = addMissing(bugs, fixes.bugs, bugKey)
  const allCves = addMissing(cves, fixes.cves, cveKey)
  const counts = [countOf(allBugs.length - bugs.length, 'bug'), countOf(allCves.length - cves.length, 'CVE')].filter(
    Boolean,
  )
  const use = () => {
    setValue('bugs', allBugs, { shouldDirty: true })
    setValue('cves', allCves, { shouldDirty: true })
  }
  return (
    <>
      {counts.length > 0 && (
        <Alert
          isInline
          variant="info"
          component="p"
          title={`The commits of this snapshot name ${counts.join(' and ')}.`}
          actionLinks={<AlertActionLink onClick={use}>Use in release notes</AlertActionLink>}
        />
      )}
      {error && (
        <Alert
          isInline
          isPlain
          variant="warning"
          component="p"
          title="Some commits of this snapshot could not be read, so the bugs and CVEs that they name are not offered."
        />
      )}
    </>
  )
}

const countOf = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`
