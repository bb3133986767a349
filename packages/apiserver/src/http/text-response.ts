/**
 * A response with a complete text, which `text()` and socket writers use without a stream. Otherwise it behaves like
 * any other Response; its stream is created on first access.
 */
export class TextResponse extends Response {
  readonly #text: string
  #isTaken = false
  #streamed: Response | undefined

  constructor(text: string, init?: ResponseInit) {
    super(null, init)
    this.#text = text
  }

  override get body(): Response['body'] {
    return (this.#streamed ??= new Response(this.#isTaken ? null : this.#text)).body
  }

  override get bodyUsed(): boolean {
    return this.#isTaken || this.#streamed?.bodyUsed === true
  }

  /** Takes the text, which is possible only once. @throws TypeError */
  take(): string {
    if (this.bodyUsed || this.#streamed?.body?.locked) throw new TypeError('Body is unusable')
    this.#isTaken = true
    return this.#text
  }

  override async text(): Promise<string> {
    return this.take()
  }

  override async json(): Promise<unknown> {
    return JSON.parse(this.take())
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#takeAsResponse().arrayBuffer()
  }

  override async blob(): Promise<Blob> {
    return this.#takeAsResponse().blob()
  }

  override async formData(): Promise<FormData> {
    return this.#takeAsResponse().formData()
  }

  override clone(): Response {
    if (this.bodyUsed || this.#streamed?.body?.locked) throw new TypeError('Body is unusable')
    const { status, statusText, headers } = this
    return new TextResponse(this.#text, { status, statusText, headers })
  }

  #takeAsResponse(): Response {
    return new Response(this.take(), { headers: this.headers })
  }
}
