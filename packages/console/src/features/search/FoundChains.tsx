import { ExpandableSection } from '@patternfly/react-core'
import type { Chain } from '@slipway/model/search/chain'
import { useState } from 'react'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { Section } from '../../ui/page/Section'
import { ChainStory, chainTitle } from './ChainStory'

/** The chains of what was found, the one that changed last first. A single one is shown at once. */
export function FoundChains({ chains }: { chains: readonly Chain[] }) {
  const [only] = chains
  if (!only) return null
  if (chains.length === 1)
    return (
      <Section title="From commit to release">
        <p className="slipway-found__place">
          <ChainPlace chain={only} />
        </p>
        <ChainStory key={only.key} of={only} />
      </Section>
    )
  return (
    <Section title={`From commit to release (${chains.length} commits)`}>
      {chains.map((chain) => (
        <FoundChain key={chain.key} chain={chain} />
      ))}
    </Section>
  )
}

const ChainPlace = ({ chain }: { chain: Chain }) => (
  <>
    {[chain.namespace, ...chain.applications].join(' · ')} <RelativeTime time={chain.changedAt} />
  </>
)

/** Read once it is expanded. */
function FoundChain({ chain }: { chain: Chain }) {
  const [isExpanded, setIsExpanded] = useState(false)
  return (
    <ExpandableSection
      isExpanded={isExpanded}
      onToggle={(_, willExpand) => setIsExpanded(willExpand)}
      toggleContent={
        <>
          {chain.sha?.slice(0, 7)} {chainTitle(chain)}{' '}
          <span className="slipway-found__place">
            <ChainPlace chain={chain} />
          </span>
        </>
      }
    >
      {isExpanded && <ChainStory of={chain} />}
    </ExpandableSection>
  )
}
