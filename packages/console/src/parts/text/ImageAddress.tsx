import { shortImageAddress } from '@slipway/model/snapshots/snapshot'
import { CopyButton } from '../../ui/actions/CopyButton'

/**
 * An image with the start of its digest, which would otherwise push everything else out of a narrow row, and a button
 * that copies the whole. The button is first, so that it is not cut off with the digest.
 * @param noun what is copied, as in `Copy {noun}`
 */
export const ImageAddress = ({ image, noun }: { image: string; noun: string }) => (
  <>
    <CopyButton text={image} noun={noun} /> <span title={image}>{shortImageAddress(image)}</span>
  </>
)
