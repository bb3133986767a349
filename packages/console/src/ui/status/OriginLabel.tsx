import { Label } from '@patternfly/react-core'
import { originOf } from '../../api/archive/origin'

const texts = {
  archive: ['Archived', 'Deleted from the cluster. This is the archived copy.'],
  deleted: ['Deleted', 'Deleted from the cluster. This is its last known state.'],
} as const

/** For an object that was deleted from the cluster, says where the shown data comes from. */
export function OriginLabel({ object }: { object: object }) {
  const origin = originOf(object)
  if (!origin) return null
  const [word, explanation] = texts[origin]
  return (
    <>
      {' '}
      <Label isCompact variant="outline" title={explanation}>
        {word}
      </Label>
    </>
  )
}
