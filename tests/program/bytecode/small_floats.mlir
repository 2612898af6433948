module @small_floats {
  func.func @main() {
    return
  }
}
