// An agent is a conversation with the model: that of a run, or one that the model delegates.

import type { Run } from "./run.ts";

const maxTurns = 16;

type ToolCall = { id: string; type: string; function: { name: string; arguments: string } };
type Image = { type: string; image_url: { url: string } };
type Said = { role: "assistant"; content: string | null; tool_calls?: ToolCall[]; images?: Image[] };
type Delta = { content?: string | null; images?: Image[]; tool_calls?: (ToolCall & { index: number })[] };

// Tools that the model may call. An agent that was delegated cannot delegate.
const tool = (name: string, description: string, parameters: object) => ({
  type: "function",
  function: { name, description, parameters },
});
const lookup = tool("lookup", "Looks something up.", { type: "object" });
const delegate = tool("delegate", "Lets an agent do a task.", {
  type: "object",
  properties: { task: { type: "string" } },
  required: ["task"],
});

export class Agent {
  private tools: string;

  // call is the id of the call of delegate. Without it the agent is the run's own.
  constructor(
    private run: Run,
    private messages: string[],
    private call?: string,
  ) {
    this.tools = JSON.stringify(call ? [lookup] : [lookup, delegate]);
  }

  private emit(name: string, data: object): Promise<void> {
    return this.run.emit(name, this.call ? { ...data, agent: this.call } : data);
  }

  // loop asks the model and calls tools until the model stops. It returns the last text.
  async loop(): Promise<string> {
    for (let turn = 0; turn < maxTurns; turn++) {
      const message = await this.ask();
      const results = await Promise.all((message.tool_calls ?? []).map((call) => this.callTool(call)));
      const stored = [message, ...results].map((m) => JSON.stringify(m));
      if (!this.call) {
        await this.run.store(stored);
      }
      this.messages.push(...stored);
      if (!message.tool_calls) {
        return message.content ?? "";
      }
    }
    throw new Error(`the model has not stopped after ${maxTurns} turns`);
  }

  private post(path: string, body: string): Promise<Response> {
    return fetch(this.run.url + path, {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json" },
      signal: this.run.signal,
      timeout: false, // a model may think for long
    } as RequestInit);
  }

  // ask sends the conversation to the model, and passes on what it says.
  private async ask(): Promise<Said> {
    const answer = await this.post(
      "/v1/chat/completions",
      `{"model":"stub","stream":true,"messages":[${this.messages.join()}],"tools":${this.tools}}`,
    );
    if (answer.status !== 200 || !answer.body) {
      throw new Error(`model: ${answer.status} ${(await answer.text()).slice(0, 1000)}`);
    }
    const message: Said = { role: "assistant", content: "" };
    let ended = false;
    for await (const data of events(answer.body)) {
      if (data === "[DONE]") {
        ended = true;
        continue;
      }
      for (const { delta } of JSON.parse(data).choices) {
        await this.hear(message, delta);
      }
    }
    if (!ended) {
      throw new Error("model: the answer breaks off");
    }
    if (message.tool_calls) {
      message.content = null;
    }
    return message;
  }

  // hear adds a chunk to a message.
  private async hear(message: Said, { content, images, tool_calls }: Delta): Promise<void> {
    if (content) {
      message.content += content;
      await this.emit("token", { text: content });
    }
    for (const image of images ?? []) {
      (message.images ??= []).push(image);
      await this.emit("image", { url: image.image_url.url });
    }
    for (const { index, ...part } of tool_calls ?? []) {
      const calls = (message.tool_calls ??= []);
      if (calls[index]) {
        calls[index].function.arguments += part.function.arguments;
      } else {
        calls[index] = part;
      }
    }
  }

  // callTool returns the message with the result.
  private async callTool({ id, function: { name, arguments: text } }: ToolCall) {
    const content = name === "delegate" && !this.call ? await this.delegate(id, text) : await this.lookup(id, name, text);
    return { role: "tool", tool_call_id: id, content };
  }

  private async lookup(id: string, name: string, text: string): Promise<string> {
    await this.emit("tool_started", { id, name });
    let content: string;
    let error: string | undefined;
    try {
      if (name !== "lookup") {
        throw new Error(`no tool ${name}`);
      }
      const answer = await this.post("/tools/lookup", text);
      content = await answer.text();
      if (answer.status !== 200) {
        throw new Error(`status ${answer.status}`);
      }
    } catch (failure) {
      this.run.signal.throwIfAborted();
      error = (failure as Error).message;
      content = `error: ${error}`; // for the model
    }
    await this.emit("tool_finished", { id, error });
    return content;
  }

  // delegate runs another agent.
  private async delegate(id: string, text: string): Promise<string> {
    const { task } = JSON.parse(text);
    await this.emit("agent_started", { id });
    const content = await new Agent(this.run, [JSON.stringify({ role: "user", content: task })], id).loop();
    await this.emit("agent_finished", { id });
    return content;
  }
}

// events are the data of server-sent events.
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let held: string[] = []; // of a line that has no end yet
  for await (const part of body) {
    const text = decoder.decode(part, { stream: true });
    if (!text.includes("\n")) {
      held.push(text);
      continue;
    }
    const lines = (held.join("") + text).split("\n");
    held = [lines.pop() ?? ""];
    for (const line of lines) {
      if (line.startsWith("data: ")) {
        yield line.slice(6);
      }
    }
  }
}
