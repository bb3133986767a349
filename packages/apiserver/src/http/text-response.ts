/**
 * An answer whose text is at hand: who asks for it as a text, or writes it to a socket, needs no stream for that. In
 * everything else it is as any other Response; the stream comes to be when somebody asks for it.
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

  /** The text, which can be had once. @throws TypeError */
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
    return this.#taken().arrayBuffer()
  }

  override async blob(): Promise<Blob> {
    return this.#taken().blob()
  }

  override async formData(): Promise<FormData> {
    return this.#taken().formData()
  }

  override clone(): Response {
    if (this.bodyUsed || this.#streamed?.body?.locked) throw new TypeError('Body is unusable')
    const { status, statusText, headers } = this
    return new TextResponse(this.#text, { status, statusText, headers })
  }

  #taken(): Response {
    return new Response(this.take(), { headers: this.headers })
  }
}
