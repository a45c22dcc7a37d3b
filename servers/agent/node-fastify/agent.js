// An agent is a conversation with the model: that of a run, or one that the model delegates.

import { Agent as Connections, request } from "undici";

const maxTurns = 16;

// Tools that the model may call. An agent that was delegated cannot delegate.
const tool = (name, description, parameters) => ({ type: "function", function: { name, description, parameters } });
const lookup = tool("lookup", "Looks something up.", { type: "object" });
const delegate = tool("delegate", "Lets an agent do a task.", {
  type: "object",
  properties: { task: { type: "string" } },
  required: ["task"],
});

const dispatcher = new Connections({ bodyTimeout: 0, headersTimeout: 0 }); // a model may think for long

export class Agent {
  // call is the id of the call of delegate. Without it the agent is the run's own.
  constructor(run, messages, call) {
    this.run = run;
    this.messages = messages;
    this.call = call;
    this.tools = JSON.stringify(call ? [lookup] : [lookup, delegate]);
  }

  emit(name, data) {
    return this.run.emit(name, this.call ? { ...data, agent: this.call } : data);
  }

  // loop asks the model and calls tools until the model stops. It returns the last text.
  async loop() {
    for (let turn = 0; turn < maxTurns; turn++) {
      const message = await this.ask();
      const results = await Promise.all((message.tool_calls ?? []).map((call) => this.callTool(call)));
      const stored = [message, ...results].map((m) => JSON.stringify(m));
      if (!this.call) {
        await this.run.store(stored);
      }
      this.messages.push(...stored);
      if (!message.tool_calls) {
        return message.content;
      }
    }
    throw new Error(`the model has not stopped after ${maxTurns} turns`);
  }

  post(path, body) {
    return request(this.run.url + path, {
      method: "POST", body, headers: { "Content-Type": "application/json" }, signal: this.run.signal, dispatcher,
    });
  }

  // ask sends the conversation to the model, and passes on what it says.
  async ask() {
    const answer = await this.post(
      "/v1/chat/completions",
      `{"model":"stub","stream":true,"messages":[${this.messages.join()}],"tools":${this.tools}}`,
    );
    if (answer.statusCode !== 200) {
      throw new Error(`model: ${answer.statusCode} ${(await answer.body.text()).slice(0, 1000)}`);
    }
    const message = { role: "assistant", content: "" };
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
  async hear(message, { content, images, tool_calls }) {
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
  async callTool({ id, function: { name, arguments: text } }) {
    const content = name === "delegate" && !this.call ? await this.delegate(id, text) : await this.lookup(id, name, text);
    return { role: "tool", tool_call_id: id, content };
  }

  async lookup(id, name, text) {
    await this.emit("tool_started", { id, name });
    let content, error;
    try {
      if (name !== "lookup") {
        throw new Error(`no tool ${name}`);
      }
      const answer = await this.post("/tools/lookup", text);
      content = await answer.body.text();
      if (answer.statusCode !== 200) {
        throw new Error(`status ${answer.statusCode}`);
      }
    } catch (failure) {
      this.run.signal.throwIfAborted();
      error = failure.message;
      content = `error: ${error}`; // for the model
    }
    await this.emit("tool_finished", { id, error });
    return content;
  }

  // delegate runs another agent.
  async delegate(id, text) {
    const { task } = JSON.parse(text);
    await this.emit("agent_started", { id });
    const content = await new Agent(this.run, [JSON.stringify({ role: "user", content: task })], id).loop();
    await this.emit("agent_finished", { id });
    return content;
  }
}

// events are the data of server-sent events.
async function* events(body) {
  const decoder = new TextDecoder();
  let held = []; // of a line that has no end yet
  for await (const part of body) {
    const text = decoder.decode(part, { stream: true });
    if (!text.includes("\n")) {
      held.push(text);
      continue;
    }
    const lines = (held.join("") + text).split("\n");
    held = [lines.pop()];
    for (const line of lines) {
      if (line.startsWith("data: ")) {
        yield line.slice(6);
      }
    }
  }
}
