import { Button } from '@patternfly/react-core'
import { asSentence, failureText } from '../../api/messages'
import type { ArchiveSearch } from './use-archive-search'

/** Which archives were not searched, and what searches them. */
export function ArchiveSearchActions({ archive }: { archive: ArchiveSearch }) {
  const { missing, others, lookFurther, retry } = archive
  return (
    <>
      {missing.map(({ name, error }) => (
        <p key={`${name} ${error.message}`}>
          {`Could not search ${name}: ${asSentence(failureText(error))}`}{' '}
          <Button variant="link" isInline onClick={retry}>
            Try again
          </Button>
        </p>
      ))}
      {others && (
        <p>
          <Button variant="link" isInline onClick={others.search}>
            {others.count === 1
              ? 'Also look in the archive of one more namespace'
              : `Also look in the archives of these ${others.count.toLocaleString('en-US')} namespaces`}
          </Button>
        </p>
      )}
      {lookFurther && (
        <p>
          The archives have older objects.{' '}
          <Button variant="link" isInline onClick={lookFurther}>
            Look further back
          </Button>
        </p>
      )}
    </>
  )
}
