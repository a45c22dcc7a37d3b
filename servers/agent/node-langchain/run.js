// A run is the answer to one message. Its events go to the client that asked, and to all that follow the thread.

import { Agent } from "./agent.js";

export class Run {
  constructor({ id, out, url, threads, followed }) {
    Object.assign(this, { id, out, url, threads, followed });
    this.controller = new AbortController();
    this.signal = this.controller.signal; // ends requests when the run fails, or the client leaves
    out.on("close", () => this.controller.abort());
  }

  // answer runs the agent. stored is the id of the user's message, and messages are the thread's, as JSON.
  async answer(stored, messages) {
    this.out.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
    try {
      await this.emit("stored", { id: stored, role: "user" });
      await new Agent(this, messages).loop();
    } catch (error) {
      this.fail(error);
    }
    const [name, data] = this.failure ? ["error", { message: this.failure.message }] : ["done", {}];
    const text = JSON.stringify(data);
    await this.followed.publish(this.id, name, text).catch(() => {}); // before another run can
    await this.threads.unlock(this.id); // before the client can send another message
    this.send(name, text);
    this.out.end();
  }

  // fail ends what still runs at the same time: other agents, the model and tools. The first failure is the run's.
  fail(failure) {
    this.failure ??= failure;
    this.controller.abort();
  }

  // emit sends an event to the client, and publishes it. Nothing comes after a failure.
  emit(name, data) {
    if (this.failure) {
      throw this.failure;
    }
    const text = JSON.stringify(data);
    this.send(name, text);
    return this.followed.publish(this.id, name, text);
  }

  send(name, text) {
    this.out.write(`event: ${name}\ndata: ${text}\n\n`);
  }

  // store commits a turn, and announces it.
  async store(messages) {
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
