import { useQuery } from '@tanstack/react-query'
import { publicInfo } from '../../resources/public-info'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { LinkCard } from './LinkCard'

/** Shown only if the public info names a status page. */
export function StatusPageCard() {
  const { data } = useQuery(publicInfo.get())
  if (!data?.statusPageUrl) return null
  return (
    <LinkCard
      title="Status Page"
      text="See whether the platform is working, and what is done about any problems."
      link={<ExternalLink href={data.statusPageUrl}>View Status Page</ExternalLink>}
    />
  )
}
