module @constants {
  func.func @main() {
    return
  }
}
