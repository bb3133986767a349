import { ExternalLink } from '../../ui/text/ExternalLink'

/** Text that others have written: a link if it is the address of a web page. */
export const WebText = ({ text }: { text: string }) => <ExternalLink href={webUrl(text)}>{text}</ExternalLink>

function webUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}
