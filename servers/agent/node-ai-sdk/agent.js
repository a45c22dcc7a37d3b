// An agent is a conversation with the model: that of a run, or one that the model delegates. AI SDK asks the model, calls
// the tools, and asks again.
//
// Own code, and why:
//   - toModel and toOpenAI: AI SDK has its own form of messages, and the contract stores the form of the OpenAI API.
//   - prepareStep stores a turn, so that it is committed before the model is asked again.
//   - loop makes an error of the last step, since AI SDK ends quietly after maxTurns, and when the model stops for its limit of
//     tokens or for its filter.
//   - hear ends the run when an agent that was delegated fails. AI SDK would pass the error on to the model.
//   - lookup posts with the client of the plain server, which is in post.js.
//
// Settings that are not the default:
//   - maxRetries 0 (default 2): a model that fails ends the run.
//   - stopWhen 16 steps (default 20): the contract's limit. https://ai-sdk.dev/docs/agents/loop-control

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { isStepCount, jsonSchema, tool, ToolLoopAgent } from "ai";

import { post } from "./post.js";

const maxTurns = 16;
const { STUB_URL } = process.env;

const model = createOpenAICompatible({ name: "stub", baseURL: `${STUB_URL}/v1` })("stub");

export class Agent {
  // messages are JSON. call is the id of the call of delegate. Without it the agent is the run's own.
  constructor(run, messages, call) {
    this.run = run;
    this.messages = toModel(messages.map((text) => JSON.parse(text)));
    this.call = call;
  }

  emit(name, data) {
    return this.run.emit(name, this.call ? { ...data, agent: this.call } : data);
  }

  // loop asks the model and calls tools until the model stops. It returns the last text.
  async loop() {
    let last;
    const agent = new ToolLoopAgent({
      model,
      tools: this.call ? { lookup: this.lookup() } : { lookup: this.lookup(), delegate: this.delegate() },
      stopWhen: isStepCount(maxTurns),
      maxRetries: 0,
      prepareStep: ({ steps }) => this.store(steps.at(-1)),
      onStepEnd: (step) => {
        last = step;
      },
      onError() {}, // the stream has the error, too
    });
    const { stream } = await agent.stream({ messages: this.messages, abortSignal: this.run.signal });
    for await (const part of stream) {
      await this.hear(part);
    }
    if (last.finishReason !== "stop" && last.finishReason !== "tool-calls") {
      throw new Error(`model: the answer ends with ${last.finishReason}`);
    }
    await this.store(last);
    if (last.finishReason === "tool-calls") {
      throw new Error(`the model has not stopped after ${maxTurns} turns`);
    }
    return last.text;
  }

  // hear passes on what the model says.
  async hear(part) {
    switch (part.type) {
      case "text-delta":
        await this.emit("token", { text: part.text });
        break;
      case "error":
        throw part.error;
      case "tool-error":
        if (part.toolName === "delegate") {
          throw part.error;
        }
        break;
      case "abort":
        throw new Error("the client has left");
    }
  }

  // store stores a turn. There is none before the first step.
  async store(step) {
    if (step && !this.call) {
      await this.run.store(toOpenAI(step).map((message) => JSON.stringify(message)));
    }
  }

  lookup() {
    return tool({
      description: "Looks something up.",
      inputSchema: jsonSchema({ type: "object" }),
      execute: async (input, { toolCallId: id, abortSignal: signal }) => {
        await this.emit("tool_started", { id, name: "lookup" });
        let error;
        try {
          return await post(`${STUB_URL}/tools/lookup`, JSON.stringify(input), signal);
        } catch (failure) {
          signal.throwIfAborted();
          error = failure.message;
          throw failure; // AI SDK passes it on to the model
        } finally {
          if (!signal.aborted) {
            await this.emit("tool_finished", { id, error });
          }
        }
      },
    });
  }

  // delegate runs another agent.
  delegate() {
    return tool({
      description: "Lets an agent do a task.",
      inputSchema: jsonSchema({ type: "object", properties: { task: { type: "string" } }, required: ["task"] }),
      execute: async ({ task }, { toolCallId: id }) => {
        await this.emit("agent_started", { id });
        const text = await new Agent(this.run, [JSON.stringify({ role: "user", content: task })], id).loop();
        await this.emit("agent_finished", { id });
        return text;
      },
    });
  }
}

// toModel converts messages of the OpenAI API to those of AI SDK.
function toModel(messages) {
  const names = new Map(); // of tools, by call
  return messages.map(({ role, content, tool_calls: calls = [], tool_call_id: id }) => {
    if (role === "user") {
      return { role, content: typeof content === "string" ? content : content.map(toPart) };
    }
    if (role === "tool") {
      const output = { type: "text", value: content };
      return { role, content: [{ type: "tool-result", toolCallId: id, toolName: names.get(id), output }] };
    }
    const parts = content ? [{ type: "text", text: content }] : [];
    for (const { id, function: { name, arguments: text } } of calls) {
      names.set(id, name);
      parts.push({ type: "tool-call", toolCallId: id, toolName: name, input: JSON.parse(text) });
    }
    return { role, content: parts };
  });
}

function toPart(part) {
  return part.type === "image_url" ? { type: "file", mediaType: "image", data: part.image_url.url } : part;
}

// toOpenAI converts a step to the model's message and the results of its tools.
function toOpenAI({ text, toolCalls, response }) {
  const calls = toolCalls.map(({ toolCallId: id, toolName: name, input }) => (
    { id, type: "function", function: { name, arguments: JSON.stringify(input) } }
  ));
  const message = { role: "assistant", content: calls.length > 0 ? null : text };
  if (calls.length > 0) {
    message.tool_calls = calls;
  }
  const results = response.messages.filter((m) => m.role === "tool").flatMap((m) => m.content);
  return [message, ...results.map((r) => ({ role: "tool", tool_call_id: r.toolCallId, content: r.output.value }))];
}
