// A run is the answer to one message. Its events go to the client that asked, and to all that follow the thread.

import { Agent } from "./agent.ts";
import type { Followed } from "./follow.ts";
import type { Threads } from "./threads.ts";

const encoder = new TextEncoder();

export class Run {
  private out?: ReadableStreamDefaultController<Uint8Array>;
  private controller = new AbortController();
  private failure?: Error;
  readonly signal: AbortSignal; // ends requests when the run fails, or the client leaves

  // left is aborted when the client leaves.
  constructor(
    private id: number,
    readonly url: string,
    private threads: Threads,
    private followed: Followed,
    left: AbortSignal,
  ) {
    this.signal = AbortSignal.any([left, this.controller.signal]);
  }

  // answer runs the agent. stored is the id of the user's message, and messages are the thread's, as JSON.
  answer(stored: number, messages: string[]): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start: (controller) => {
        this.out = controller;
        void this.whole(stored, messages);
      },
      cancel: () => {
        this.out = undefined;
      },
    });
  }

  private async whole(stored: number, messages: string[]): Promise<void> {
    try {
      await this.emit("stored", { id: stored, role: "user" });
      await new Agent(this, messages).loop();
    } catch (error) {
      this.fail(error as Error);
    }
    const [name, data] = this.failure ? ["error", { message: this.failure.message }] : ["done", {}];
    const text = JSON.stringify(data);
    await this.followed.publish(this.id, name, text).catch(() => {}); // before another run can
    await this.threads.unlock(this.id); // before the client can send another message
    this.send(name, text);
    this.out?.close();
  }

  // fail ends what still runs at the same time: other agents, the model and tools. The first failure is the run's.
  private fail(failure: Error): void {
    this.failure ??= failure;
    this.controller.abort();
  }

  // emit sends an event to the client, and publishes it. Nothing comes after a failure.
  emit(name: string, data: object): Promise<void> {
    if (this.failure) {
      throw this.failure;
    }
    const text = JSON.stringify(data);
    this.send(name, text);
    return this.followed.publish(this.id, name, text);
  }

  private send(name: string, text: string): void {
    this.out?.enqueue(encoder.encode(`event: ${name}\ndata: ${text}\n\n`));
  }

  // store commits a turn, and announces it.
  async store(messages: string[]): Promise<void> {
    if (this.failure) {
      throw this.failure;
    }
    const ids = await this.threads.store(this.id, messages);
    if (!ids) {
      throw new Error("the thread was deleted");
    }
    for (const [i, id] of ids.entries()) {
      await this.emit("stored", { id, role: i === 0 ? "assistant" : "tool" });
    }
  }
}
